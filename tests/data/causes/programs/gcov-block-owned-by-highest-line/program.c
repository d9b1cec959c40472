__attribute__((always_inline)) void f(int a) {
  if (a)
    return;
}
int main(void) {
  f(0);
  f(0);
}
