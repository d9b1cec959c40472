#include <stdio.h>

#define ON 100
#define CASE_BOTH(x) case (x): case (x) + ON

static int run(int op)
{
    int found = 0;
    switch (op) {
    CASE_BOTH(1):
        found = 1;
        break;
    CASE_BOTH(2):
        found = 2;
        break;
    CASE_BOTH(3):
        if (op == 3)
            found = 3;
        break;
    default:
        found = 4;
    }
    return found;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 7; i++)
        sum += run(1);
    for (int i = 0; i < 5; i++)
        sum += run(102);
    for (int i = 0; i < 3; i++)
        sum += run(3) + run(103) + run(2);
    sum += run(9);
    printf("%d\n", sum);
    return 0;
}
