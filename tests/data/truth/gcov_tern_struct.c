#include <stdio.h>
struct pair { int a, b; };
static int n;
static struct pair mk(int x) { struct pair p = { x, ++n }; return p; }
int main(void)
{
  int i, s = 0;
  struct pair p;
  for (i = 0; i < 3; i++)
    {
      p = i >= 0
          ? mk(1)
          : mk(2);
      s += p.a + p.b;
    }
  printf("%d\n", s);
  return 0;
}
