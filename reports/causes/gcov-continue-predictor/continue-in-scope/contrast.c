int f(void) {
  int a;
  for (a = 0; 1 == 0; a = 1)
    continue;
  return 0;
}
int main(void) {
  int b = f();
}
