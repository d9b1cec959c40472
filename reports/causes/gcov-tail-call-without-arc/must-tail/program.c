int f(int a) {
  return 0;
}
int main(void) {
  int a = 0;
  if (a)
    return 0;
  __attribute__((musttail)) return f(a);
}
