#include <stdio.h>
static int find(const int *v, int n, int x)
{
  int i;
  for (i = 0; i < n; i++)
    if (v[i] == x)
      goto out;
out:
  return i;
}
int main(void)
{
  int v[] = { 3, 5, 7 };
  printf("%d %d %d\n", find(v, 3, 3), find(v, 3, 7), find(v, 3, 9));
  return 0;
}
