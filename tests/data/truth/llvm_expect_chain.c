#include <stdio.h>

static int classify(int a, int b)
{
  if (__builtin_expect(a || b, 0))
    return 1;
  if (!__builtin_expect(a && b, 1))
    return 2;
  return 3;
}

int main(void)
{
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += classify(i & 1, i > 2);
  printf("%d\n", sum);
  return 0;
}
