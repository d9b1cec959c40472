#include <stdio.h>
int main(void)
{
  int i, a = 0, s = 0;
  int v[6];
  for (i = 0; i < 6; i++)
    {
      v[i] = i
             && a
             && s < 3;
      a = i > 1;
      s += v[i];
    }
  printf("%d %d\n", s, a);
  return 0;
}
