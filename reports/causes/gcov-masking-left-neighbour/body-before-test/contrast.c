int main(void) {
  int a = 1;
  int b = 0;
  while (b)
    break;
}
