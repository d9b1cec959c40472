#include <stdio.h>
static int n;
static int step(int x) { n += x; return n; }
int main(void)
{
  int i;
  for (i = 0; i < 4; i++)
    {
      (void) (i > 2
              || step(i));
    }
  printf("%d\n", n);
  return 0;
}
