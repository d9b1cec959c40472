inline __attribute__((always_inline)) int f(int a, const int b) {
  if (1 && a & 1) {}
  return 0;
}
void g(void) {
  f(0, 1);
}
int main(void) {
  int c = f(0, 0);
}
