/* Exercises integer division edge cases: signs, floor and ceiling, guards for zero and INT_MIN / -1. */
#include <limits.h>
#include <stdio.h>

static int failures;

static int safe_div(int a, int b, int *rest)
{
  if (b == 0)
  {
    fputs("division by zero\n", stderr);
    failures++;
    *rest = 0;
    return 0;
  }
  if (a == INT_MIN && b == -1)
  {
    puts("quotient does not fit");
    failures++;
    *rest = 0;
    return INT_MAX;
  }
  *rest = a % b;
  return a / b;
}

static int floor_div(int a, int b)
{
  int r, q = safe_div(a, b, &r);
  if (r != 0 && (r < 0) != (b < 0))
    q--;
  return q;
}

static int ceil_div(int a, int b)
{
  int r, q = safe_div(a, b, &r);
  if (r != 0
      && (r > 0) == (b > 0))
    q++;
  return q;
}

static int digits(int v, int base)
{
  int n = 0, r;
  if (base < 2) { puts("bad base"); failures++; return -1; }
  do
  {
    v = safe_div(v, base, &r);
    if (r < 0 && v > 0) { puts("sign"); r = -r; }
    n++;
  }
  while (v != 0);
  return n;
}

int main(void)
{
  int r = 0;
  printf("%d %d %d %d\n", floor_div(7, 2), floor_div(-7, 2), floor_div(7, -2), floor_div(-7, -2));
  printf("%d %d %d %d\n", ceil_div(7, 2), ceil_div(-7, 2), ceil_div(7, -2), ceil_div(-7, -2));
  printf("%d ", safe_div(INT_MIN, 10, &r));
  printf("%d %d %d\n", r, digits(INT_MAX, 10), digits(INT_MIN, 16));
  if (failures > 0)
  {
    printf("%d failures\n", failures);
    failures = 0;
    return 1;
  }
  else if (r > 0)
  {
    puts("remainder has the wrong sign");
    return 2;
  }
  return 0;
}
