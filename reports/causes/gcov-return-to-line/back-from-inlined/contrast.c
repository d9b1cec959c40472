__attribute__((always_inline)) int f(void) {
  return 0;
}
int main(void) {
  while (0)
    ;
}
