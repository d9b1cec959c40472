#include <stdio.h>
int main(void)
{
  int i, s = 0;
  if (s > 3)
    s = 3;
refill:
  for (i = 0; i < 2; i++)
    s += i + 1;
  printf("%d\n", s);
  if (s < 11)
    goto refill;
  return 0;
}
