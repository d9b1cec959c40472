int main(void) {
  int a = 1;
  return a && ({ int b = 1; while (b) b--; 0 == 0; });
}
