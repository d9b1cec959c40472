#include <stdio.h>
int main(void)
{
  int i, j, s = 0;
  for (i = 0; i < 4; i++) s += i;
  for (i = 0; i < 3; i++) for (j = 0; j < i; j++) s++;
  while (s > 20) s -= 3;
  do s++; while (s % 7);
  for (i = 0; i < 5; i++) { if (i == 2) continue; s += i; }
  while (i-- > 0) ;
  printf("%d %d\n", s, i);
  return 0;
}
