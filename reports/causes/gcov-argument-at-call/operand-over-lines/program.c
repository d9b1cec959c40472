int f(void) {
  return 0;
}
int g(int a) {
  return 0;
}
int main(void) {
    for (int b = 0; b < 2; b++) {
        int c = g(
            b ? f() : 0);
    }
}
