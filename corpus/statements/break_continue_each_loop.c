/* Exercises break and continue in while, do-while and for loops, both live and dead. */
#include <stdio.h>

int main (void)
{
  int i, n, sum = 0;

  i = 0;
  while (i < 20)
    {
      i++;
      if (i % 3 == 0)
        continue;
      if (i > 100)
        {
          puts ("impossible");
          sum = -1;
          break;
        }
      if (i == 15 || i == 17)
        break;
      sum += i;
    }
  printf ("while %d\n", sum);

  i = 0;
  do
    {
      i += 2;
      if (i == 4)
        continue;
      if (i == 7)
        {
          puts ("seven is odd");
          continue;
        }
      sum += i;
      if (sum > 150)
        break;
    }
  while (i < 12);
  printf ("do %d %d\n", i, sum);

  for (i = 0, n = 0; i < 10; i++)
    {
      if (i & 1)
        continue;
      for (int j = 0; j < 10; j++)
        {
          if (j > i)
            break;
          if (j == 3)
            continue;
          n += j;
          if (n < 0)
            {
              n = 0;
              puts ("negative n");
              break;
            }
        }
      if (n > 5000)
        break;
    }
  printf ("for %d\n", n);
  if (n == 0)
    puts ("nothing counted");
  return 0;
}
