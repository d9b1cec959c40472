#include <stdio.h>

static int data[] = { 0, 0, 3, -1 };
static int at;

static int fill(int *value)
{
    *value = data[at & 3];
    return at++;
}

static int search(int limit)
{
    for (;;)
      {
        int found;
        int error;
        error = fill(&found);
        if (found > limit)
            break;
        switch (error)
          {
          case 2:
            limit--;
            break;
          case 100:
            return -1;
          }
      }
    return limit;
}

int main(void)
{
    int sum = search(1);
    at = 0;
    sum += search(2);
    printf("%d\n", sum);
    return 0;
}
