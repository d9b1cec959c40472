#include <stdio.h>
int main(void)
{
  int i, odd = 0, all = 0;
  for (i = 0; i < 7; i++)
    {
      if (i % 2 == 0)
        goto even;
      odd++;
      if (i == 5)
        goto even;
    even:
      all += i;
    }
  printf("%d %d\n", odd, all);
  return 0;
}
