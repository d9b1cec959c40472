#include <stdio.h>

static int chosen(int a, int b)
{
    int n = 0;
    switch (a && b ? a : b) {
    case 1:
        n = 1;
    }
    switch (a ? b : 3) {
    case 1: n++;
    case 2: n++;
    }
    return n;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 9; i++)
        sum += chosen(i % 3, i / 3);
    printf("%d\n", sum);
    return 0;
}
