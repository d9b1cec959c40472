#include <stdio.h>
int main(void)
{
  int s = 0, t = 0;
  do
    s++;
  while (s < 7
         && s > -3);
  do
    t += s;
  while (t > 100
         && s++ < 9);
  printf("%d %d\n", s, t);
  return 0;
}
