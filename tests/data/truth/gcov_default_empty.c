#include <stdio.h>
static int grade(int x)
{
  int s = x;
  switch (x)
    {
    case 1:
      s += 10;
      break;
    case 2:
      s += 20;
      break;
    default: ;
    }
  s++;
  return s;
}
int main(void)
{
  int i, t = 0;
  for (i = 0; i < 6; i++)
    t += grade(i);
  printf("%d\n", t);
  return 0;
}
