#include <stdio.h>

static int
add (x, y)
     int x;
     int y;
{
  if (x > y)
    return x
      + y;
  else
    return
      add (y, x - 1);
}

static void show (n) int n; { printf ("%d\n", n); }

int main ()
{
  register int i, s = 0;
  for (i = 0; i < 4; i++)
    s += add (i, 2);
  show (s);
  return 0;
}
