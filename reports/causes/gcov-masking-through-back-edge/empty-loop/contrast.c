int a = 1, b = 1;
int main(void) {
  int c = 0;
  while (c++ < 1 && (b || a))
    ;
}
