#include <stdio.h>
struct s { int a[4]; };
static int use(struct s *p) { return p->a[0]++; }
static int f(int k)
{
  k++;
  while (1)
    {
      struct s x = { { k } };
      if (use(&x) > 4)
        return x.a[0];
      k++;
    }
}
static int g(int k)
{
  int r = 0;
  for (int i = 0; i < k; i++)
    {
      int t[2] = { i, k };
      switch (t[0])
        {
        case 0: {
          int u = 3; r += *&u;
          break;
        }
        case 1:
          continue;
        default:
          r++;
        }
    }
  return r;
}
int main(void)
{
  printf("%d %d\n", f(0), g(3) + g(4));
  return 0;
}
