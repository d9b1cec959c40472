int f(int a, int b, int c) {
  if (!(a && b) || c)
    ;
  return 0;
}
int main(void) {
  int d = f(0, 0, 0);
  f(1, 1, 1);
}
