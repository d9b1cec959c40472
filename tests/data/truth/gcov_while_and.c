#include <stdio.h>
static int n;
static int dec(void) { return --n; }
int main(void)
{
  int s = 0;
  n = 6;
  while (dec() > 0
         && s < 100)
    s += n;
  while (s < 0
         && dec())
    s++;
  printf("%d %d\n", s, n);
  return 0;
}
