#include <stdio.h>
int main(void)
{
  int i, j, s = 0;
  for (i = 0, j = 10;
       i < j
       && s < 100;
       i++, j--)
    {
      s++;
    }
  for (i = 0;
       i > 0
       && j > 0;
       i++)
    s--;
  printf("%d %d %d\n", s, i, j);
  return 0;
}
