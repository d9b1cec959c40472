#include <stdio.h>
static int n;
static int f(int x) { n++; return x; }
static int go(int a)
{
  return
    f(a) > 2 ||
    f(1) > 2 ||
    a == 1;
}
int main(void)
{
  int i, z = 0;
  for (i = 0; i < 4; i++)
    z += go(i);
  printf("%d %d\n", z, n);
  return 0;
}
