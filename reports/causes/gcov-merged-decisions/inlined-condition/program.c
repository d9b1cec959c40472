int a, b;
inline __attribute__((always_inline)) void f(int c) {
  if (c)
    b++;
}
int main(void) {
  f(0);
  if (0)
    ;
  if (0)
    ;
  if (a)
    b++;
}
