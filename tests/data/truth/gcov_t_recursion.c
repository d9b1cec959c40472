#include <stdio.h>
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int odd(int n);
static int even(int n)
{
  if (n == 0)
    return 1;
  return odd(n - 1);
}
static int odd(int n)
{
  if (n == 0)
    return 0;
  return even(n - 1);
}
static int ack(int m, int n)
{
  if (!m) return n + 1;
  if (!n) return ack(m - 1, 1);
  return ack(m - 1, ack(m, n - 1));
}
int main(void)
{
  printf("%d %d %d ", fib(10), even(7), odd(5));
  printf("%d\n", ack(2, 3));
  return 0;
}
