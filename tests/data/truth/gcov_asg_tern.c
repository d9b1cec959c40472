#include <stdio.h>
int main(void)
{
  int i, n = 0, t;
  for (i = 0; i < 5; i++)
    {
      t = i % 2 == 0
          ? i * 10
          : i;
      n += t;
    }
  printf("%d\n", n);
  return 0;
}
