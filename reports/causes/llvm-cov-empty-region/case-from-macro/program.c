#define CASE(n) case n: v++; break
int v;
void f(int n) {
  switch (n) {
    CASE(1);
  }
}
int main(void) {
  f(1);
  f(0);
}
