void exit(int);
int a;
int main(void) {
  for (int b; 0; 0)
    ;
  a++;
}
