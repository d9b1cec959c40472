#include <stdio.h>

static int grade(int pts)
{
    int g = 0;
    switch (pts / 10) {
    case 9:
    case 8: {
        int bonus = pts % 10;
        if (bonus > 5)
            break;
        g += bonus;
    }
        g += 100;
        break;
    default:
        g = 1;
    }
    return g;
}

int main(void)
{
    int t = 0;
    for (int p = 50; p < 100; p += 7)
        t += grade(p);
    printf("%d\n", t);
    return 0;
}
