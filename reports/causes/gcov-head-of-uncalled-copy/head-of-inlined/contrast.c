inline __attribute__((gnu_inline, always_inline)) void f(void) {}
int main(void) {
  f();
}
