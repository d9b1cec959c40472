#include <stdio.h>
struct b { unsigned lo : 3, hi : 5; };
static int f(int x) { return x; }
int main(void)
{
  struct b q = { 1, 2 };
  int i, s = 0;
  for (i = 0; i < 4; i++)
    {
      q.hi = i
             ? f(i)
             : 3;
      s += q.hi + q.lo;
    }
  printf("%d\n", s);
  return 0;
}
