void f(int a) {
  if (a)
    ;
l:;
}
int main(void) {
  f(0);
  f(1);
}
