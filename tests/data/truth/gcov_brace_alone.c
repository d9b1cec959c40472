#include <stdio.h>
int g(int k)
{
  while (k) {
    k--;
    continue;
    k = 0;
  }
  return k;
}
int main(void) { printf("%d\n", g(3)); return 0; }
