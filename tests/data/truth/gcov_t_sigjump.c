#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static sigjmp_buf jb;
static volatile int n;
static void on(int s)
{
  n += s > 0;
  siglongjmp(jb, 1);
}
int main(void)
{
  signal(SIGUSR1, on);
  while (n < 3)
    {
      if (sigsetjmp(jb, 1) == 0)
        {
          n += 0;
          raise(SIGUSR1);
          n = 50;
        }
      else
        n += 0;
    }
  printf("%d\n", n);
  return 0;
}
