/* Exercises calendar arithmetic: day numbers, weekdays, round trips; rejected dates never occur. */
#include <stdio.h>

static int leap (int y)
{
  return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

static int month_length (int y, int m)
{
  switch (m)
    {
    case 2:
      return 28 + leap (y);
    case 4: case 6: case 9: case 11:
      return 30;
    default:
      if (m < 1 || m > 12)
        {
          printf ("no month %d\n", m);
          return 0;
        }
      return 31;
    }
}

static long day_number (int y, int m, int d)
{
  long n = 0;

  if (y < 1970 || d < 1 || d > month_length (y, m))
    {
      printf ("bad date %d-%d-%d\n", y, m, d);
      return -1;
    }
  for (int i = 1970; i < y; i++)
    n += 365 + leap (i);
  for (int i = 1; i < m; i++)
    n += month_length (y, i);
  return n + d - 1;
}

static void to_date (long n, int *y, int *m, int *d)
{
  *y = 1970;
  *m = 1;
  if (n < 0)
    {
      puts ("before 1970");
      *d = 1;
      return;
    }
  while (n >= 365 + leap (*y))
    n -= 365 + leap ((*y)++);
  while (n >= month_length (*y, *m))
    {
      n -= month_length (*y, *m);
      ++*m;
    }
  *d = (int) n + 1;
}

int main (void)
{
  static const char names[] = "ThuFriSatSunMonTueWed";
  int y, m, d;

  for (int year = 1999; year < 2030; year += 5)
    {
      long n = day_number (year, 2 + year % 11, 28);
      to_date (n, &y, &m, &d);
      if (y != year || d != 28)
        {
          puts ("round trip failed");
          return 1;
        }
      printf ("%.3s %d-%02d\n", names + n % 7 * 3, y, m);
    }
  return 0;
}
