/* What the recorded reports in this folder are about; formats.rs has its counts. */
#include <stdio.h>

static int clamp(int x)
{
    if (x > 2)
        return 2;
    if (x < 0) {
        puts("never printed");
        return 0;
    }
    return x;
}

static int never(int x)
{
    return x + 1;
}

int main(int argc, char **argv)
{
    int sum = 0;
    (void)argv;
    for (int i = 0; i < 5; i++) {
        sum += clamp(i);
    }
    while (argc > 5)
        argc = never(argc);
    do {
        sum--;
    } while (sum > 4);
    switch (sum) {
    case 4:
        puts("four");
        break;
    default:
        puts("never printed");
    }
    return 0;
}
