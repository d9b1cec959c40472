int f(int a, int b) {
  switch (a) {
  case 1:
    b++;
    switch (b) {
    case 1:
      return 3;
    case 2:
      return 4;
    }
  }
  return b;
}
int main(void) {
  return f(1, 1) + f(1, 0) + f(0, 0) != 7;
}
