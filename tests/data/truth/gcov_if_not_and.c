#include <stdio.h>
static int hits;
static int odd(int v) { hits++; return v % 2; }
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 6; i++)
    {
      if (!(i > 3
            && odd(i)))
        s++;
      s *= 2;
    }
  printf("%d %d\n", s, hits);
  return 0;
}
