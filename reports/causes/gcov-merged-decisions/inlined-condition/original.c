static int a = 1, b, n;
static inline __attribute__((always_inline)) void f(int d) {
  if (d)
    n++;
}
int main(void) {
  f(a);
  if (a || b)
    n++;
  if (b || a)
    n++;
  if (a && b)
    n++;
  return n != 3;
}
