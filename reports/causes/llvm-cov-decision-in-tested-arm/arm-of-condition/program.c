void f(int a) {
  int b = 0;
  int c = (1 ? a && a : 0) ? 0 : b;
}
int main(void) {
  for (int d = 0; d < 2; d++)
    f(d);
}
