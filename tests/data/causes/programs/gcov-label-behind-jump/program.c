void f(int a) {
  if (a)
    goto l;
l:;
}
int main(void) {
  f(0);
  f(1);
}
