#include <stdio.h>
static int f(int x) { if (x > 2) return x; x++; return -x; }
static int g(int x) { int r = 0; while (x > 0) { r += x; x--; } return r; }
int main(void)
{
  int i, s = 0, k = 1;
  for (i = 0; i < 5; i++)
    {
      s++; k *= 2; if (k > 8) k = 3; s += k;
      if (i) s++; else s--;
      if (i == 4) break; s += f(i);
      if (i > 2) { s += 2; continue; } k++;
    }
  s += g(3); k = g(2);
  printf("%d %d\n", s, k); if (s > 5) return 0; else return 1;
}
