#include <stdio.h>
static int sq(int x) { return x * x; }
static int none(int x)
{
  return !
    (x && sq(x));
}
int main(void)
{
  printf("%d %d %d\n", none(1), none(0), none(4));
  return 0;
}
