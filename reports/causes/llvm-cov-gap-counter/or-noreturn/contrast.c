void exit(int);
int a;
int main(void) {
  int b = 1;
  
  a;
}
