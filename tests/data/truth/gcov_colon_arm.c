#include <stdio.h>
static int calls;
static int sq(int x) { calls++; return x * x; }
int main(void)
{
  int a = 1, i, r, s = 0;
  r = a == 1 ? sq(3)
             : sq(4);
  for (i = 0; i < 4; i++)
    {
      s += i < 3
           ? sq(i)
           : sq(-i);
    }
  printf("%d %d %d\n", r, s, calls);
  return 0;
}
