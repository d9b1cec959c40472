#include <stdio.h>
#define LOOP(n, st) for (int i_ = 0; i_ < (n); i_++) { st; }
#define CHECK(c) if (!(c)) { bad++; continue; }
#define RET(c) do { if (c) return 1; } while (0)
#define MULTI(a, b) \
  a++; \
  if (b) \
    a += 2; \
  else \
    b++
static int f(int k)
{
  RET(k == 2);
  RET(k
      == 4);
  return 0;
}
int main(void)
{
  int i, s = 0, bad = 0, z = 0;
  for (i = 0; i < 5; i++)
    {
      CHECK(i != 2)
      CHECK(i
            != 3)
      LOOP(3, s += i)
      LOOP(2,
           s++;
           s++)
      MULTI(s, z);
      s += f(i);
    }
  printf("%d %d %d\n", s, bad, z);
  return 0;
}
