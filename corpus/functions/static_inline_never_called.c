/* Exercises static inline and plain static functions that nothing calls, between live ones. */
#include <stdio.h>

static inline int unused_first(int x)
{
  int y = x + 1;
  if (y > 3)
    y = 3;
  return y;
}

static int half(int x)
{
  if (x % 2)
    {
      puts("odd");
      x--;
    }
  return x / 2;
}

__attribute__((unused))
static inline void unused_middle(void)
{
  for (int i = 0; i < 3; i++)
    printf("%d\n", i);
  puts("middle");
}

static inline int unused_chain(int n)
{
  return n > 0 ? unused_first(n) + unused_chain(n - 1) : 0;
}

int unused_external(int n)
{
  switch (n)
    {
    case 0:
      return 5;
    default:
      n = half(n);
    }
  return n;
}

int main(void)
{
  int n = 64, steps = 0;
  while (n > 1)
    {
      n = half(n);
      steps++;
    }
  if (steps > 50)
    {
      n = unused_external(steps);
      n += unused_chain(n);
    }
  printf("%d steps, %d\n", steps, n);
  return 0;
}

static inline int unused_last(void)
{
  puts("last");
  return 1;
}
