#include <stdio.h>
static _Atomic int at = 5;
static int inc(int x) { return x + 1; }
int main(void)
{
  int i, r = 0;
  for (i = 0; i < 4; i++)
    {
      r += at +
           inc(i);
      at = r;
    }
  printf("%d\n", r);
  return 0;
}
