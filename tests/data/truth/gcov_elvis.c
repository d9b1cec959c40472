#include <stdio.h>
static int n;
static int fall(int x) { n++; return x; }
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 4; i++)
    {
      s += i
           ?: fall(8);
      s++;
    }
  printf("%d %d\n", s, n);
  return 0;
}
