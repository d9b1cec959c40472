/* Exercises setjmp and longjmp as exceptions: thrown through several frames, thrown again, and never thrown. */
#include <stdio.h>
#include <setjmp.h>

static jmp_buf handler;
static int thrown;

static void throw_code(int code)
{
  thrown++;
  longjmp(handler, code);
  puts("after longjmp");
}

static int inner(int n)
{
  if (n == 3)
    throw_code(33);
  if (n == 1000)
    {
      puts("throwing a thousand");
      throw_code(1000);
      n = 0;
    }
  return n * 2;
}

static int outer(int n)
{
  int r = inner(n);
  r += inner(n + 1);
  if (r < 0)
    {
      puts("negative");
      r = 0;
    }
  return r;
}

int main(void)
{
  volatile int i = 0;
  volatile int sum = 0;

  if (setjmp(handler) == 0)
    puts("first pass");
  else if (thrown == 1)
    {
      printf("caught at %d\n", i);
      i += 2;
    }
  else
    {
      printf("thrown %d times\n", thrown);
      sum = -1;
      return 1;
    }

  for (; i < 6; i++)
    sum += outer(i);

  switch (setjmp(handler))
    {
    case 0:
      inner(3);
      puts("not thrown");
      break;
    case 33:
      puts("caught in the switch");
      break;
    default:
      puts("caught something else");
      return 2;
    }
  printf("sum %d thrown %d\n", sum, thrown);
  return 0;
}
