void f(int a) {
  switch (a)
  case 3:
  do
    a--;
  while (a);
}
int main(void) {
  f(3);
}
