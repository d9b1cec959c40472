int a;
void f(int b) {
  b ? ({  }) : 0;
  a;
}
int main(void) {
  f(0);
  f(1);
}
