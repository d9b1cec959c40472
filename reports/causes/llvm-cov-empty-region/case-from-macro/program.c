#define M(n) case n: v++; break
int v;
void f(int n) {
  switch (n) {
    M(0);
  }
}
int main(void) {
  f(1);
  f(0);
}
