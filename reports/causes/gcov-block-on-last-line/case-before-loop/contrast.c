void f(int a) {
  switch (a)
  case 3:
  do
    a--;
  while (0);
}
int main(void) {
  f(3);
}
