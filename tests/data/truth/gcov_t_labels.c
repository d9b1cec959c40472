#include <stdio.h>
int main(void)
{
  int i = 0, s = 0;
top:
  while (i < 3)
    {
      i++;
      if (i == 2)
        goto top;
      s++;
    }
  i = 0;
  goto mid;
  while (i < 5)
    {
      s += 10;
    mid:
      s += i;
      i++;
    }
  i = 0;
loop:
  i++;
  if (i < 4)
    goto loop;
  s += i;
unused:
  s++;
  goto end;
end:
  printf("%d %d\n", s, i);
  return 0;
}
