#include <stdio.h>
int main(void)
{
  int n = 0, s = 1;
  for (;;)
    {
      n++;
      if (n > 5)
        break;
      s += n;
    }
  while (1)
    {
      s--;
      if (s < 10)
        break;
    }
  for (; 1; n--)
    if (n < 3)
      break;
  printf("%d %d\n", n, s);
  return 0;
}
