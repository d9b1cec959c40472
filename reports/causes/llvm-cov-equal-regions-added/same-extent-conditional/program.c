int __attribute__((noreturn)) f(void) {
  __builtin_trap();
}
int main(void) {
  if (1)
    return 1 ? 0 : f();
}
