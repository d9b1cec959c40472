#include <stdio.h>
static int f(int x)
{
  return x + 1;
  x++;
  return x;
}
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 3; i++)
    {
      if (0)
        s = 100;
      if (i == 1)
        continue;
      s += f(i);
      while (0)
        s = 7;
    }
  goto end;
  s = 55;
end:
  if (1)
    s++;
  else
    s--;
  do
    s++;
  while (0);
  printf("%d\n", s);
  return 0;
  s = 3;
}
