/* Exercises for(;;) and while(1) left by break, return and goto. */
#include <stdio.h>

static int next_power(int n) {
    int p = 1;
    for (;;) {
        if (p >= n) break;
        p <<= 1;
        if (p > 1 << 20) {
            puts("too large");
            p = 0;
            return p;
        }
    }
    return p;
}

static int first_multiple(int a, int b) {
    int m = a;
    while (1) {
        if (m % b == 0)
            return m;
        m += a;
        if (m > 100000)
            goto none;
    }
none:
    puts("no multiple");
    return -1;
}

int main(void) {
    int state = 0, rounds = 0;

    for (;;) {
        rounds++;
        if (state == 0) {
            state = 2;
            continue;
        }
        if (state == 1) {
            puts("state one");
            state = 3;
            continue;
        }
        if (state == 2) {
            state = 4;
            continue;
        }
        if (state == 3) {
            puts("state three");
            break;
        }
        if (rounds > 50) {
            puts("stuck");
            return 9;
        }
        break;
    }
    printf("%d %d\n", state, rounds);
    printf("%d %d %d\n", next_power(1), next_power(100), next_power(4096));
    printf("%d %d\n", first_multiple(12, 18), first_multiple(7, 5));
    for (;;)
        break;
    return 0;
}
