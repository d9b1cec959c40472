int a;
int main(void) {
  int b = 0;
  for (;;) {
    break;
    continue;
    a;
  }
}
