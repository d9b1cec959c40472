void f(int a) {
  do
    a--;
  while (a);
}
int main(void) {
  f(2);
}
