#define STEP(n) total += n;
int total;
void f(int a) {
  if (0)
    STEP(0)
  "";
}
int main(void) {
  f(0);
}
