/* Exercises while loops: counted, sentinel, body on one line, body that is never entered. */
#include <stdio.h>

static int collatz(int n)
{
  int steps = 0;
  while (n != 1)
    {
      if (n <= 0)
        {
          printf("bad start\n");
          steps = -1;
          break;
        }
      if (n % 2 == 0)
        n /= 2;
      else
        n = 3 * n + 1;
      steps++;
    }
  return steps;
}

int main(void)
{
  const char *text = "while the sun shines";
  const char *p = text;
  int vowels = 0, pending = 0, i = 0;

  while (*p)
    {
      while (*p == '\t')
        {
          pending++;
          p++;
        }
      if (*p == 'a' || *p == 'e' || *p == 'i' || *p == 'o' || *p == 'u')
        vowels++;
      p++;
    }

  while (pending > 0)
    {
      printf("pending %d\n", pending);
      pending--;
    }

  while (i < 10) i += 3;
  while (i < 0) { i++; pending++; }

  printf("vowels %d, i %d, steps %d %d\n", vowels, i, collatz(7), collatz(27));
  while (vowels < 0)
    vowels++;
  return pending;
}
