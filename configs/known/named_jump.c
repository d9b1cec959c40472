int main(void) {
  int n = 0;
outer:
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      if (j == 2)
        continue outer;
      n++;
    }
    n += 100;
  }
  return n > 8;
}
