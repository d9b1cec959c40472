#include <stdio.h>
static int n;
__attribute__((destructor(90)))
static void last(void)
{
  n++;
  printf("last %d\n", n);
}
int main(void)
{
  n++;
  return 0;
}
