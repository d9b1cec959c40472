void f(int a) {
    int b = a ? 0 : 0;
}
int main(void) {
  f(1);
  f(0);
}
