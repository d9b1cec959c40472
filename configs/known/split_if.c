#include <stdio.h>
static int inc(int x) { return x + 1; }
int main(void)
{
  int i, n = 0;
  for (i = 0; i < 4; i++)
    {
      n += 10;
      if (inc(i) +
          inc(n) > 25)
        n++;
    }
  printf("%d\n", n);
  return 0;
}
