#include <stdio.h>
static int n;
int main(void)
{
  for (;;)
    {
      if (n > 3)
        break;
      n++;
    }
  printf("%d\n", n);
  return 0;
}
