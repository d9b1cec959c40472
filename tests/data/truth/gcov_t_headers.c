#include <stdio.h>
static int n = 6;
static int dec(void) { return --n; }
int main(void)
{
  int i, s = 0;
  for (i = 0;
       i < 5;
       i++)
    s += i;
  for (i = 0;
       i < 3;
       i++)
    ;
  for (; i < 9;
       i += 2)
    {
    }
  while (
         dec() > 3
        )
    s++;
  do
    ;
  while (dec());
  do
    s++;
  while
    (s < 15);
  printf("%d %d\n", s, i);
  return 0;
}
