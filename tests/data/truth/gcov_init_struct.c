#include <stdio.h>
struct pt { int x, y, z; };
static int k;
static int next(void) { return ++k; }
int main(void)
{
  struct pt q = {
    .x = next(),
    .y = next() + 1,
    .z = 3
  };
  struct pt r = { 1, 2,
                  next() };
  printf("%d %d\n", q.x + q.y, r.z);
  return 0;
}
