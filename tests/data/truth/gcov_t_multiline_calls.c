#include <stdio.h>
static int f(int x) { return x + 1; }
static int g(int x, int y) { return x * y; }
int main(void)
{
  int a, i;
  for (i = 0; i < 3; i++)
    {
      a = g(f(1),
            f(2));
      a += g(f(1),
             g(f(2),
               f(3)));
      a = f(g(a,
              2));
      a = g(
            f(a),
            3
          );
      printf("%d\n",
             f(a));
    }
  return 0;
}
