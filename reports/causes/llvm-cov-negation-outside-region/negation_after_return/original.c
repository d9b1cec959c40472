int n;
int f(int x) {
  if (x)
    return 4;
  !
  n;
  return 0;
}
int main(void) {
  f(1);
  return f(0);
}
