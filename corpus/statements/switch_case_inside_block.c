/* Exercises case labels placed inside nested blocks, an if, and a loop of the switch. */
#include <stdio.h>

static int enter(int where)
{
  int trail = 0;

  switch (where)
    {
    case 0:
      trail = 1;
      {
        trail += 1;
    case 1:
        trail += 10;
      }
      break;
    case 2:
      if (trail > 0)
        {
          puts("not reached from the top");
          trail = 500;
    case 3:
          trail += 100;
        }
      else
        {
          trail += 200;
        }
      break;
    case 4:
      for (trail = 0; trail < 5; trail++)
        {
          if (trail == 77)
            {
              puts("seventy-seven");
              return -77;
            }
    case 5:
          trail += 1;
        }
      break;
    default:
      {
        puts("default");
        trail = -1;
      }
    }
  return trail;
}

int main(void)
{
  int sum = 0;
  for (int i = 0; i < 6; i++)
    {
      int t = enter(i);
      if (t < 0)
        {
          printf("bad entry %d\n", i);
          sum = 0;
          break;
        }
      printf("%d:%d ", i, t);
      sum += t;
    }
  printf("\nsum %d\n", sum);
  return 0;
}
