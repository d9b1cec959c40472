int a;
void f(int b) {
  a += 0 ? ({ return; 0; }) : 0;
  a++;
}
int main(void) {
  f(0);
  f(1);
}
