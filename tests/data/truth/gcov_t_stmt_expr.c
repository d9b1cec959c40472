#include <stdio.h>
#define MAX(a, b) ({ int x_ = (a), y_ = (b); x_ > y_ ? x_ : y_; })
#define SWAP(a, b) do { int t_ = a; a = b; b = t_; } while (0)
int main(void)
{
  int i, a = 1, b = 2, s = 0;
  for (i = 0; i < 4; i++)
    {
      s += MAX(i, 2);
      s += MAX(i,
               MAX(s,
                   3));
      SWAP(a, b);
      SWAP(a,
           b);
      if (({ int q = a; q > 1; }))
        s++;
      s = ({ if (s > 1000) goto out; s; });
    }
out:
  printf("%d\n", s);
  return 0;
}
