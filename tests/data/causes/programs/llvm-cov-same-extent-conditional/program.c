void exit(int);
void f(void) {
  if (1)
    return 1 ? 0 : exit(0);
}
int main(void) {
  f();
}
