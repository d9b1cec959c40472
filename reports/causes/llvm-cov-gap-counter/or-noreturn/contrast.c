void exit(int);
int a;
int main(void) {
  int b = 1;
  1 || (exit(0), 0);
  a++;
}
