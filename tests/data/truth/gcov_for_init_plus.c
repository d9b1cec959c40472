#include <stdio.h>
static int inc(int x) { return x + 1; }
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 4; i++)
    {
      for (int j = inc(i) +
                   inc(0);
           j < 4;
           j++)
        s += j;
    }
  printf("%d\n", s);
  return inc(s) -
         inc(s);
}
