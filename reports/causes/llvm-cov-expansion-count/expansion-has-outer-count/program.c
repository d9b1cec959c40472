#define M(c) else if (c)
int a;
void f(int b) {
  if (b)
    ;
  M(0)
        a--;
}
int main(void) {
  f(0);
  f(1);
}
