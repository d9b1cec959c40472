void exit(int);
int a;
int main(void) {
  
  a;
}
