/* Control: the distance between locals of two frames decides a loop count; dead declarations change it. */
#include <stdint.h>
#include <stdio.h>

static unsigned distance(uintptr_t above)
{
  char here = 0;
  return (unsigned)(above - (uintptr_t)&here);
}

static unsigned middle(uintptr_t above, int n)
{
  int live[4] = { n, 1, 2, 3 };
  if (n > 9)
    {
      int dead[32];
      for (int i = 0; i < 32; i++)
        dead[i] = n * i;
      printf("dead %d\n", dead[31]);
      live[0] = dead[1];
      return 0;
    }
  return distance(above) + (unsigned)live[0] * 0u;
}

int main(void)
{
  char top = 1;
  unsigned d = middle((uintptr_t)&top, 3);
  int turns = 0;

  if (d == 0)
    {
      puts("no distance");
      goto end;
    }
  for (unsigned i = 0; i < d % 512; i += 8)
    turns++;
  printf("%u bytes, %d turns\n", d, turns);
  if (turns > 10000)
    {
      long wide[20] = { turns };
      puts("too many");
      turns = (int)wide[0] / 2;
      return 1;
    }
end:
  return 0;
}
