#include <stdio.h>
static int work(int x)
{
  int left = 3, n = 0;
  if (x < 100)
    goto body;
retry:
  n += x;
body:
  left--;
  if (left)
    goto retry;
  return n;
}
int main(void)
{
  printf("%d %d\n", work(5), work(7));
  return 0;
}
