void exit(int);
void f(void) {
  if (1)
    ;
}
int main(void) {
  f();
}
