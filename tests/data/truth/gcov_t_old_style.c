#include <stdio.h>
add (a, b)
     int a, b;
{ return a + b; }
int
sub (a,
     b)
     char a;
     float b;
{
  if (a > b) return a - (int) b;
  else
    return (int) b - a;
}
int
main ()
{ int i, s = 0;
  for (i = 0; i < 3; i++) {
    s += add (i, s); }
  s += sub (s,
            4.0); s += sub (4, s);
  printf ("%d\n", s); return 0; }
