#include <stdio.h>
int main(void)
{
  int x = 17, k = 0;
  while (x > 0)
    {
      switch (x % 3)
        {
        case 0:
          x--;
          continue;
        case 1:
          x -= 2;
          break;
        default:
          ;
        }
      x--;
      k++;
    }
  printf("%d %d\n", x, k);
  return 0;
}
