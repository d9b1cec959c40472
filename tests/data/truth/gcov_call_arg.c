#include <stdio.h>
static int inc(int x) { return x + 1; }
int main(void)
{
  int i, s = 1;
  for (i = 0; i < 3; i++)
    {
      s = inc(inc(s) +
              inc(2));
      printf("%d %d\n", inc(i) +
             inc(2), s);
    }
  return 0;
}
