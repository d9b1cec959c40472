#include <stdio.h>
static int c;
static void h(int x)
{
  while (x--)
    {
      if (x == 2)
        return;
      c++;
      switch (x)
        {
        case 1:
          return;
        case 0:
          break;
        default:
          continue;
        }
      c += 2;
    }
}
static void
e(void)
{
  return;
}
static void nothing(void) { }
int main(void)
{
  h(1);
  h(2); h(7);
  e();
  nothing();
  printf("%d\n", c);
  return 0;
}
