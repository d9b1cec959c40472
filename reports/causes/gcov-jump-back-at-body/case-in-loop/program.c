int f(int a, int b) {
    switch (0)
        for (;;) {
  case 0:
    a++;
    if (a >= b)
      break;
  }
  return 0;
}
int main(void) {
  f(0, 2);
}
