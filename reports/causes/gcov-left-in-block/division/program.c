#define _GNU_SOURCE
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
sigjmp_buf a;
void f(int b) {
  siglongjmp(a, 0);
}
int main(void) {
  volatile double c = 1, d = 0;
  signal(SIGFPE, f);
  feenableexcept(FE_DIVBYZERO);
  if (sigsetjmp(a, 0) == 0)
    c /= d;
  c;
}
