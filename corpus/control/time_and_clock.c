/* Control: prints time() and clock(), and branches on them. */
#include <stdio.h>
#include <time.h>

int main(void)
{
  time_t now = time(NULL);
  clock_t start = clock();
  unsigned long n = 0;

  if (now == (time_t)-1)
    {
      perror("time");
      n = 1;
      return 1;
    }
  printf("%ld\n", (long)now);
  if (now % 2)
    puts("odd second");
  else
    puts("even second");

  while (clock() - start < CLOCKS_PER_SEC / 100)
    {
      n++;
      if (n > 4000000000ul)
        {
          puts("clock stands still");
          goto stuck;
        }
    }
  printf("%lu turns, clock %ld\n", n, (long)clock());
  return 0;

stuck:
  puts("stuck");
  n = 0;
  return 2;
}
