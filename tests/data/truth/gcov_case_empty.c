#include <stdio.h>
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 4; i++)
    {
      switch (i)
        {
        case 0:
          s += 5;
          break;
        default:
          s++;
          break;
        case 77: ;
        }
      s *= 2;
    }
  printf("%d\n", s);
  return 0;
}
