void f(int a, int b, int c, int d) {
  if (__builtin_expect(a && (b || c), 0))
    ;
}
int main(void) {
  f(0, 0, 0, 0);
  f(1, 0, 1, 1);
}
