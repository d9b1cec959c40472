int p = 2, q = 7, n;
int main(void) {
  if (p == 2 || q == 1)
    q || n;
  return 0;
}
