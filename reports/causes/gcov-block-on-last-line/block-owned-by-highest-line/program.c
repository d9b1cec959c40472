__attribute__((always_inline)) inline int f(void) {
  return 0;
}
int main(void) {
  f();
  f();
}
