int v;
void f(int n) {
  switch (n) {
    case 0: v++; break;
  }
}
int main(void) {
  f(1);
  f(0);
}
