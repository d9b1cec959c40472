int a[1] = {1};
void f(void) {
  do
    if (a[0])
      return;
  while (1);
}
int main(void) {
  f();
}
