void f(int a) {
  if (a)
    return;
  !0;
}
int main(void) {
  f(1);
  f(0);
}
