int main(void) {
  for (int a = 0; a < 1; a++) {
    int b;
    if (0)
      continue;
    &b;
    if (1)
      continue;
  }
}
