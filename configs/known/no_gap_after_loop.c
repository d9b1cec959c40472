static int f(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += ({ if (i > 2) goto out; i; });
  }
  sum += 100;
out:
  return sum;
}
int main(void) {
  return f(1) + f(5) != 103;
}
