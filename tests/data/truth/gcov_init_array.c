#include <stdio.h>
static int sq(int x) { return x * x; }
int main(void)
{
  int i, s = 0;
  for (i = 0; i < 4; i++)
    {
      int arr[] = {
        sq(1),
        sq(i),
        i && s
      };
      s += arr[0] + arr[1] - arr[2];
    }
  printf("%d\n", s);
  return 0;
}
