static void use(int *p) {
  (*p)++;
}
int main(void) {
  for (int a = 0; a < 3; a++) {
    int b = a;
    if (b > 5)
      continue;
    use(&b);
    if (b > 1)
      continue;
    a += 0;
  }
}
