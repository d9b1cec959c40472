#include <stdio.h>
static int data[] = { 0, 0, 3, 0, -1 };
static int at;
static int next(void) { return data[at++]; }
static int skip(int first)
{
    if (first > 9) {
        puts("error");
        return -1;
    } else {
        if (first == 0)
          {
            int byte;
            for (byte = first; byte == 0; byte = next())
                continue;
            if (byte == -1)
              {
                if (at > 1)
                    puts("end");
                return -3;
              }
          }
        puts("more");
        return -2;
    }
}
static int find(int value)
{
    for (;;) {
        if (data[value & 3] > 2)
            return value;
        value++;
    }
}
int main(void)
{
    int sum = skip(0);
    sum += skip(0) + find(0);
    printf("%d\n", sum);
    return 0;
}
