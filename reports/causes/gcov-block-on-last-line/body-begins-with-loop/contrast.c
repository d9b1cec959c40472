void f(int a) {
  do
    a--;
  while (0);
}
int main(void) {
  f(2);
}
