#include <stdio.h>
static int cp(char *to, const char *from, int n)
{
  int k = (n + 3) / 4, r = 0;
  switch (n % 4)
    {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
                 r++;
            } while (--k > 0);
    }
  return r;
}
int main(void)
{
  char b[16] = "";
  int r = cp(b, "hello world", 11);
  printf("%s %d\n", b, r);
  return 0;
}
