#include <stdio.h>
static int n;
static int id(int x) { n++; return x; }
static int go(int a)
{
  return id(a
            && id(a));
}
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 4; i++)
    {
      if (id(i > 0
             && id(i)) > 0)
        s++;
      s += go(i);
    }
  printf("%d %d\n", s, n);
  return 0;
}
