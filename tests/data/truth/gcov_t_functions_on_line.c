#include <stdio.h>
int one(int x) { return x + 1; } int two(int x) { return x ? one(x) : 0; }
int three(int x) { return x * 3; } int four(int x)
{
  if (x > 2)
    x++;
  return x;
}
int five(int x)
{
  return x;
} int six(int x) { return x * 2; }
int main(void)
{
  printf("%d ", one(1) + two(2) + two(0) + three(1));
  printf("%d\n", four(2) + four(3) + five(1) + six(2));
  return 0;
}
