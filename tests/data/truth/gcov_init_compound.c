#include <stdio.h>
struct pt { int x, y; };
static int n;
static int f(int x) { n++; return x + 1; }
static struct pt mk(int k)
{
  return (struct pt) { f(k),
                       f(k + 1) };
}
int main(void)
{
  struct pt *p = &(struct pt) {
    f(1),
    f(5)
  };
  int s = mk(1).y + mk(2).x;
  s += (int[]) { 1,
                 f(s) }[1];
  printf("%d %d %d\n", p->x + p->y, s, n);
  return 0;
}
