int a;
int main(void) {
  int b = 0;
  for (;;) {
    if (b--)
      break;
    continue;
    a;
  }
}
