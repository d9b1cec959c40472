#include <stdio.h>
#include <stdlib.h>
/* A tool of the old school: what is asked for is printed, what is not ends it. */
static int asked(int argc)
{
  int n = argc + 1;
  for (int i = 0; i < 2; i++)
    n += i;
  return n;
}
static void usage(int argc)
{
  if (asked(argc) > 9)
    puts("too many"); exit(0);
}
int main(int argc, char **argv)
{
  (void) argv;
  printf("%d\n", asked(argc));
  usage(argc);
  return 1;
}
