#include <stdio.h>
static int n;
static int touch(int x) { n++; return x; }
int main(void)
{
  int i;
  for (i = 0; i < 5; i++)
    {
      int none = i < 0
                 && touch(i);
      int all = i >= 0
                || touch(i);
      if (none < all)
        n += 10;
    }
  printf("%d\n", n);
  return 0;
}
