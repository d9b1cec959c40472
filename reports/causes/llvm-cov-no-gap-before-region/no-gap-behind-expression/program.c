int a;
void f(int b) {
  b ? ({ return; }) : 0;
  a;
}
int main(void) {
  f(0);
  f(1);
}
