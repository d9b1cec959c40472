#include <stdio.h>
static int inc(int x) { return x + 1; }
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 3; i++)
    {
      if (inc(i) +
          inc(i) > 3)
        s++;
      switch (inc(i) -
              inc(1))
        {
        case 0:
          s += 10;
        }
    }
  printf("%d\n", s);
  return 0;
}
