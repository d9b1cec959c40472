#include <stdio.h>
static int digits(unsigned v)
{
  do
    {
      putchar('0' + (int)(v % 10));
      v /= 10;
    }
  while (v > 0);
  return 0;
}
int main(void)
{
  return digits(1234) + digits(7);
}
