#include <stdio.h>
static int n;
static int f(int x) { n++; return x; }
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 5; i++)
    {
      switch ((i > 1 ? 1
              : f(1)))
        {
        case 1:
          s += 10;
        }
    }
  printf("%d %d\n", s, n);
  return 0;
}
