#include <setjmp.h>
#include <stdio.h>
static jmp_buf jb;
static volatile int n;
static void hop(int k)
{
  n++;
  if (k < 3)
    longjmp(jb, k + 1);
  n += 10;
}
static int again(void)
{
  volatile int r = 0;
  setjmp(jb);
  r++;
  hop(r);
  return r;
}
static int sw(void)
{
  switch (setjmp(jb))
    {
    case 0:
      hop(0);
      break;
    case 1:
      hop(1);
      break;
    default:
      n += 100;
    }
  return n;
}
int main(void)
{
  printf("%d ", again());
  printf("%d\n", sw());
  return 0;
}
