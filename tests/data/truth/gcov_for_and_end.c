#include <stdio.h>
static int lim(int x) { return x < 3; }
int main(void)
{
  int i, s = 20;
  for (i = 0;
       i < 10 &&
         lim(i);
       i++)
    s -= i;
  while (s > 0 &&
         lim(s - 14))
    s--;
  printf("%d %d\n", i, s);
  return 0;
}
