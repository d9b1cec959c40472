#include <setjmp.h>
#include <stdio.h>
static jmp_buf jb;
static int depth;
static void deep(int n)
{
  depth++;
  if (n == 0)
    longjmp(jb, 1);
  deep(n - 1);
  depth += 100;
}
static int try_it(int n)
{
  if (setjmp(jb))
    return -1;
  deep(n);
  return 1;
}
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 3; i++)
    s += try_it(i);
  printf("%d %d\n", s, depth);
  return 0;
}
