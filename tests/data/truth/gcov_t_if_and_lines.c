#include <stdio.h>
static int hit;
static int t(int v) { hit++; return v; }
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 5; i++)
    {
      if (i > 1
          && t(i) > 2)
        s++;
      if (i > 9
          && t(i) > 2)
        s++;
      if (i < 9
          || t(i) > 2)
        s++;
      if ((i > 0
           && t(i))
          || i == 0)
        s++;
      else if (i == 3
               && t(1))
        s--;
    }
  printf("%d %d\n", s, hit);
  return 0;
}
