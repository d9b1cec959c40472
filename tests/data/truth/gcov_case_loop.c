#include <stdio.h>
static int spin(int x)
{
  switch (x)
    {
      for (;;)
        {
        case 0:
          x++;
          if (x > 9)
            break;
        case 3:
          x += 2;
        }
    }
  return x;
}
int main(void)
{
  printf("%d %d %d\n", spin(0), spin(3), spin(7));
  return 0;
}
