int main(void) {
  int a = 1;
  int b;
  for (int c;;)
    if (a || b)
      break;
}
