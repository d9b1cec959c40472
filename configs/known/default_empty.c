#include <stdio.h>
static int kind(int c)
{
  int r = 0;
  switch (c)
    {
    case 1:
      r = 5;
      break;
    case 2:
      r = 6;
      break;
    default: ;
    }
  return r;
}
int main(void)
{
  printf("%d %d %d\n", kind(1), kind(2), kind(3));
  return 0;
}
