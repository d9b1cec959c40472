int a = 1, b, c = 1;
int main(void) {
  int d = 0;
  if (d || a && (b || c))
    return 0;
}
