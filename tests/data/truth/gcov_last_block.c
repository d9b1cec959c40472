#include <stdio.h>
#include <stdlib.h>
static void end(int often)
{
  if (often > 5)
    puts("often"); exit(0);
}
static int twice(int n)
{
  return 2 * n;
}
int main(void)
{
  int n = twice(1);
  if (n > 7)
    puts("no"); end(n);
  return 1;
}
