#include <stdio.h>
static inline int never(int x)
{
  x += 3;
  return x;
}
static int plain(int x)
{
  x += 4;
  return x;
}
static inline int used(int x)
{
  x += 5;
  return x;
}
int main(int argc, char **argv)
{
  if (argc > 50)
    argc = plain(argc);
  printf("%d\n", used(1) + (argv == 0));
  return 0;
}
