#include <stdio.h>
static int id(int x) { return x; }
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 4; i++)
    {
      if (id(i)
          == id(2))
        s++;
      else if (id(i)
               < id(1))
        s += 10;
    }
  printf("%d\n", s);
  return 0;
}
