#include <stdio.h>
static int walk(int (*cb)(int))
{
  int i, s = 0;
  for (i = 0; i < 6; i++)
    s += cb(i);
  return s;
}
static int find(int want)
{
  __label__ hit;
  int seen = 0;
  int probe(int v)
  {
    int inc(int k) { return k + 1; }
    seen = inc(seen);
    if (v == want)
      goto hit;
    return 1;
  }
  if (walk(probe) == 6)
    return -1;
  seen = 1000;
 hit:
  return seen;
}
int main(void)
{
  int a = find(2);
  int b = find(9);
  printf("%d %d %d\n", a, b, find(0));
  return 0;
}
