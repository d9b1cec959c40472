#include <stdio.h>
static int small(int x) { return x < 3; }
int main(void)
{
  int i, both, s = 0;
  for (i = -2; i < 6; i++)
    {
      both = i > 0
             && small(i);
      s += both;
    }
  printf("%d\n", s);
  return 0;
}
