#include <stdio.h>
#define WIDE 1
static int f(int x) { return x; }
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 4; i++)
    {
#if WIDE
      if (i > 1)
#else
      if (i > 2)
#endif
        s += 2;
#ifdef NARROW
      else
        s--;
#else
      else if (i == 1)
        s++;
#endif
      s += f(
#if WIDE
              i
#else
              0
#endif
             );
    }
  printf("%d\n", s);
  return 0;
}
