int a;
void f(int b) {
  void *c = &&l;
  if (b)
    goto *c;
  a++;
l:;
}
int main(void) {
  f(0);
  f(1);
}
