#define M if (b) return;
int a;
void f(int b) {
  if (0)
    return;
  M;
  a++;
}
int main(void) {
  f(0);
}
