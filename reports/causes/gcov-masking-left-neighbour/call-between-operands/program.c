int f(void) {
  return 0;
}
int main(void) {
  int a = 0;
  int b = 1;
  int c;
  if (a || f() || b)
    c = 0;
}
