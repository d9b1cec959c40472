int a;
int main(void) {
  int b = 0;
  for (;;) {
    if (1)
      break;
    continue;
    a;
  }
}
