#define INCREMENT(n) ({ (n)++; })
static int n;
static void f(int done) {
  if (done)
    return;
  INCREMENT(n);
}
int main(void) {
  f(0);
  f(1);
  f(1);
  return n != 1;
}
