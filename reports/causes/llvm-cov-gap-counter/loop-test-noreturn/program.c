void exit(int);
int a;
int main(void) {
  int b = 1;
  while (1 ? b-- : (exit(0), 0))
    ;
  a++;
}
