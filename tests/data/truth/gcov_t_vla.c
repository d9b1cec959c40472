#include <stdio.h>
static int sum(int n)
{
  int i, s = 0;
  for (i = 1; i < n; i++)
    {
      int a[i];
      a[0] = i;
      if (i == 3)
        continue;
      a[i - 1] = 2;
      s += a[0];
      if (s > 100)
        break;
    }
  s += i;
again:
  {
    char b[n + 1];
    b[n] = 1;
    s += b[n];
    if (s < 22)
      goto again;
    if (s == 40)
      return b[n];
  }
  return s;
}
static int hdr(int k, int a[k + 1])
{
  return a[k];
}
int main(void)
{
  int v[3] = { 1, 2, 3 };
  printf("%d %d\n", sum(6), hdr(2, v));
  return 0;
}
