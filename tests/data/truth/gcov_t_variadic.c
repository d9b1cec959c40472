#include <stdio.h>
#include <stdarg.h>
struct big { long a, b, c; };
static double mix(int n,
                  ...)
{
  va_list ap;
  double s = 0;
  va_start(ap,
           n);
  for (; n > 0; n--)
    {
      double t;
      t =
        va_arg(ap, double);
      s += t
           + va_arg(ap,
                    int);
      if (n == 1)
        s += va_arg(ap, struct big).c;
    }
  va_end(ap);
  return s;
}
int main(void)
{
  struct big x = { 1, 2, 3 };
  printf("%f ", mix(1, 1.5, 2, x));
  printf("%f\n", mix(4, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, x));
  return 0;
}
