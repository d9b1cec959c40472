#include <stdio.h>
static int inc(int x) { return x + 1; }
static int sum(int x)
{
  return inc(x) +
         inc(x + 1);
}
static _Bool same(int a, int b)
{
  return inc(a) ==
         inc(b);
}
int main(void)
{
  printf("%d\n", sum(1) + sum(2) + sum(3));
  printf("%d %d\n", same(2, 2), same(2, 3));
  return 0;
}
