int a;
void f(int b) {
  void *c = &&l;
  if (b)
    ;
  a;
l:;
}
int main(void) {
  f(0);
  f(1);
}
