#include <stdio.h>
static _Atomic int a = 3;
static int inc(int x) { return x + 1; }
int main(void)
{
  int i;
  for (i = 0; i < 3; i++)
    {
      a *=
        inc(i);
    }
  printf("%d\n", a);
  return 0;
}
