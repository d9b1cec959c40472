int main(void) {
  int a = 1;
  return a && ({ int b = 1; while (0) b--; 0 == 0; });
}
