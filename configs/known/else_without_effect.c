int a;
void f(int b, int c) {
  if (b && c)
    a++;
  else if (c && a) {
  }
}
int main(void) {
  f(0, 1);
  f(1, 0);
  f(1, 1);
}
