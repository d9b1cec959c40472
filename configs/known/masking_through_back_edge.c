static int one = 1, six = 6;
int main(void) {
  int k = 0;
  while (k++ < 2 && (k >= six || one > 0));
  return k != 3;
}
