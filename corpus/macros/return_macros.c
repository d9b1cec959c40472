/* Exercises macros that return, break or jump out of the block in which they are used. */
#include <stdio.h>

#define RETURN_IF(c, v) if (c) return (v)
#define TRY(call) do { int e_ = (call); if (e_ < 0) return e_; } while (0)
#define BAIL_UNLESS(c) do { if (!(c)) goto bail; } while (0)
#define STOP_AT(x, n) if ((x) == (n)) break

static int step(int n)
{
  RETURN_IF(n < 0, -1);
  RETURN_IF(n > 100, -2);
  if (n == 55)
  {
    puts("fifty-five");
    RETURN_IF(n % 5 == 0, -5);
    return -3;
  }
  return n;
}

static int pipeline(int a, int b, int c)
{
  TRY(step(a));
  TRY(step(b)); TRY(step(c));
  TRY(
    step(a + b + c)
  );
  return a * b * c;
}

static int validated(int n)
{
  BAIL_UNLESS(n > 0);
  BAIL_UNLESS(n < 1000);
  n *= 2;
  BAIL_UNLESS(n % 2 == 0);
  return n;
bail:
  printf("invalid %d\n", n);
  n = 0;
  return n;
}

int main(void)
{
  int i, r = pipeline(2, 3, 7);

  RETURN_IF(r < 0, 1);
  printf("%d\n", r);
  printf("%d\n", pipeline(50, 40, 30));
  for (i = 0; i < 100; i++)
  {
    STOP_AT(i, 9);
    r += validated(i + 1);
    STOP_AT(r, -1);
    if (r < 0)
    {
      puts("negative");
      r = 0;
      STOP_AT(r, 0);
    }
  }
  printf("%d %d\n", i, r);
  RETURN_IF(i != 9, 2);
  return 0;
}
