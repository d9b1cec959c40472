int main(void) {
l:
  for (int a = 0; a < 1; a++) {
    for (int b;;) {
      if (1)
        continue l;
    }
    0;
  }
}
