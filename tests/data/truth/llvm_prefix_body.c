#include <stdio.h>

static int step(int x) { return x + 1; }

int main(void)
{
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    if (i > 1)
      __attribute__((nomerge)) sum += step(i);
    if (i == 2)
      __extension__ sum++;
    if (sum < 300)
#pragma clang loop unroll(disable)
      for (int j = 0; j < 3; j++)
        sum++;
  }
  printf("%d\n", sum);
  return 0;
}
