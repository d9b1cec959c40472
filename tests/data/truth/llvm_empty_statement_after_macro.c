#include <stdio.h>
#define AGAIN() goto again;
#define NOTIFY(V)                 \
do {                              \
  if (V > 5)                      \
    return (V);                   \
  n += V;                         \
} while (0)
static int n;
static int f(int x)
{
again:
    if (n < 3) {
        x = 1;
        NOTIFY(4);
        AGAIN();
    }
    return x;
}
int main(void)
{
    printf("%d\n", f(0));
    return 0;
}
