#include <stdio.h>
#include <stdlib.h>
static int n;
__attribute__((constructor)) static void first(void)
{
  n = 5;
}
__attribute__((destructor)) static void last(void)
{
  n++;
  printf("last %d\n", n);
}
static void bye(void)
{
  n++;
  printf("bye %d\n", n);
}
int main(void)
{
  atexit(bye);
  n++;
  exit(n - 6);
}
