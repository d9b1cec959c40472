void f(int a) {
  if (0)
    goto l;
l:;
}
int main(void) {
  f(0);
  f(1);
}
