int f(void) {
  return 0;
}
int main(void) {
    while (1 &&
        f())
        ;
}
