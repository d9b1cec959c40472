#define M(n) ({ (n)++; })
int n;
void f(int a) {
  if (0)
    return;
  M(n);
}
int main(void) {
  f(0);
  f(1);
}
