#include <stdio.h>
static int n;
static int f(int x) { n += x; return n; }
int main(void)
{
  int i;
  for (i = 0; i < 5; i++)
    {
      i > 2
        ? f(1)
        : f(10);
      i >= 0
        || f(100);
      i == 3
        && f(1000);
    }
  printf("%d\n", n);
  return 0;
}
