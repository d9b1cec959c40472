#include <stdio.h>
struct pt { int x, y; };
static int f(int x) { return x + 1; }
int main(void)
{
  int i, a, b, c;
  for (i = 0; i < 3; i++)
    {
      struct pt p = { f(1), f(2) }, q = { i, a = i };
      int v[] = { 1, f(i), p.x && q.y, 5 };
      struct pt r = {
        .x = 1,
        .y = 2
      };
      a =
        b =
        c = f(i);
      v[i] =
        f(v[1]);
      r = (struct pt) { f(a), f(b) };
      printf("%d %d %d\n",
             r.x + c,
             v[i], q.y);
    }
  return 0;
}
