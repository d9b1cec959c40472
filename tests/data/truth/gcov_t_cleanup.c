#include <stdio.h>
static int freed;
static void drop(int *p)
{
  freed += *p;
}
static int work(int n)
{
  int k __attribute__((cleanup(drop))) = n;
  if (n > 2)
    return 1;
  if (n == 0)
    goto out;
  k++;
out:
  return k;
}
int main(void)
{
  int i, t = 0;
  for (i = 0; i < 5; i++)
    {
      int z __attribute__((cleanup(drop))) = 7;
      if (i == 1)
        continue;
      t += work(i);
      if (i == 3)
        break;
    }
  printf("%d %d\n", freed, t);
  return 0;
}
