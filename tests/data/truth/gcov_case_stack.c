#include <stdio.h>
static int n;
static void see(int x)
{
  switch (x)
    {
    case 1:
    case 2:
      n += 10;
      break;
    case 7:
    default:
      n++;
    }
}
int main(void)
{
  see(2);
  see(2);
  see(3);
  see(1);
  see(9);
  printf("%d\n", n);
  return 0;
}
