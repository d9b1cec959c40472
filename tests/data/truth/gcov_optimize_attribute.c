#include <stdio.h>

__attribute__((optimize("O2"))) static int odd(int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    if (i & 1)
      sum += i;
  return sum;
}

#pragma GCC push_options
#pragma GCC optimize("O2")
static int twice(int n)
{
  int sum = n;
  sum += n;
  return sum;
}
#pragma GCC pop_options

int main(void)
{
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += odd(i) + twice(i);
  printf("%d\n", sum);
  return 0;
}
