#include <stdio.h>
static unsigned
digits(unsigned v, unsigned r)
{
  do
    r++;
  while (v /= 10);
  return r;
}
int main(void)
{
  printf("%u ", digits(12345, 0));
  printf("%u\n", digits(7, 0));
  return 0;
}
