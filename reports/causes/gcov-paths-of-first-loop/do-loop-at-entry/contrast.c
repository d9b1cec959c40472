int a[1] = {1};
void f(void) {
  do
    if (1)
      return;
  while (1);
}
int main(void) {
  f();
}
