#define ELSE_IF(c) else if (c)
int a;
void f(int b) {
  if (b)
    ;
  ELSE_IF(0)
        a--;
}
int main(void) {
  f(0);
  f(1);
}
