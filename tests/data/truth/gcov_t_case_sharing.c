#include <stdio.h>
static int f(int x)
{
  int r = 0;
  switch (x)
    {
    case 0: case 1: r++; break;
    case 2: r += 2; /* fall through */
    case 3: r += 3; break;
    default:
      r--;
    case 9:
      r += 4;
      break;
    case 20 ... 29: r = 20; break;
    case 30: return 30;
    }
  switch (x) { case 1: r++; break; default: r--; }
  switch (x) case 4: r = 100;
  return r;
}
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 10; i++)
    s += f(i);
  s += f(25) + f(30);
  printf("%d\n", s);
  return 0;
}
