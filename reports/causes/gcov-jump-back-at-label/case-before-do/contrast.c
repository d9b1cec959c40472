int main(void) {
  int a = 1;
  int b = 0;
  int c = 0;
  switch (a) {
  case 0:
    return 0;
  case 1:
    do {
      if (1)
        return 0;
      c++;
    } while (c < 9);
  }
}
