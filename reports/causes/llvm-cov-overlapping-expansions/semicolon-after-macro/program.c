#define M() \
  goto again;
int main(void) {
  int a = 0;
  int b = 0;
again:
  switch (a) {
  case 0:
    if (b == 0) {
      b++;
      M();
    }
    a = 1;
    M();
  }
}
