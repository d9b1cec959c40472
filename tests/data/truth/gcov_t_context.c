#include <stdio.h>
#include <ucontext.h>
static ucontext_t a, m, c;
static char stack[65536];
static volatile int step;
static void co(void)
{
  step++;
  swapcontext(&c, &m);
  step += 100;
}
int main(void)
{
  volatile int n = 0;
  getcontext(&a);
  n++;
  if (n < 4)
    setcontext(&a);
  getcontext(&c);
  c.uc_stack.ss_sp = stack;
  c.uc_stack.ss_size = sizeof stack;
  c.uc_link = &m;
  makecontext(&c, co, 0);
  swapcontext(&m, &c);
  printf("%d %d\n", n, step);
  return 0;
}
