int f(void) {
  return 0;
}
int main(void) {
    for (int a = 0; a < 2; a++) {
        int b = a ? f() : 0;
    }
}
