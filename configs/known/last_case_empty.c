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
    case 77: ;
    }
  return r;
}
int main(void)
{
  printf("%d %d\n", kind(1), kind(2));
  return 0;
}
