#include <stdio.h>
static int n;
static void eat(int x) {
  do { x--; n++;
  } while (x > 0);
  n += 100; }
int main(void)
{
  eat(3);
  eat(1);
  printf("%d\n", n);
  return 0;
}
