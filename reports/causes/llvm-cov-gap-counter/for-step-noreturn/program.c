void exit(int);
int a;
int main(void) {
  for (int b; 0; exit(0))
    ;
  a++;
}
