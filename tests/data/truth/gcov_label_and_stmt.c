#include <stdio.h>
int main(void)
{
  int i = 0, s = 1;
  if (i == 0)
    goto next;
next: i++;
  if (s > 0)
    s += i;
more: s *= 2;
  if (s < 20)
    goto more;
  printf("%d %d\n", i, s);
  return 0;
}
