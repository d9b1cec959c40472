#define RETURN_IF_B if (b) return;
int a;
void f(int b) {
  if (0)
    ;
  RETURN_IF_B;
  a;
}
int main(void) {
  f(0);
}
