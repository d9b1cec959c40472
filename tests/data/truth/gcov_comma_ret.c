#include <stdio.h>
static int n;
static int f(int x) { n++; return x; }
static int go(int a)
{
  return (f(a),
          a > 1
          && f(2));
}
int main(void)
{
  int i, z = 0;
  for (i = 0; i < 4; i++)
    z += go(i);
  printf("%d %d\n", z, n);
  return 0;
}
