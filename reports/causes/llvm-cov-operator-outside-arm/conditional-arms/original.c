void f(int a) {
    int b = a
        ? 0
        : 1;
}
int main(void) {
  f(1);
  f(0);
}
