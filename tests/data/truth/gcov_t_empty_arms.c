#include <stdio.h>
static int n;
static int f(int x) { n++; return x; }
int main(void)
{
  int i;
  for (i = 0; i < 5; i++)
    {
      if (i > 2)
        ;
      if (f(i) > 2)
        ;
      if (i > 2)
        {
        }
      else
        n++;
      switch (i)
        {
        case 1:
          break;
        case 2:
          break;
        default:
          break;
        }
      do
        {
          if (i > 1)
            break;
          n++;
        }
      while (0);
    }
  printf("%d\n", n);
  return 0;
}
