void exit(int);
int a;
int main(void) {
  (void)0;
  a++;
}
