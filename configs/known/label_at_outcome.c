int a = 1, b = 1, c, n;
int main(void) {
  if (a && b && c)
    n++;
out:
  return n;
}
