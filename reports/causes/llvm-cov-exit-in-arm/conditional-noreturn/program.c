void exit(int);
int a;
int main(void) {
  1 ? (void)0 : exit(0);
  a++;
}
