#include <stdio.h>

static int n;

static int f(int x) {
    {
        n++;
        if (x > 4)
            return 1;
    }
    n += 2;
    {
        for (int i = 0; i < x; i++)
            if (i == 2)
                break;
        n += 4;
    }
    n += 8;
    if (x > 3) {
        if (x == 4)
            return 2;
        n += 16;
    }
    n += 32;
    {
        n += 64;
        switch (x) { default: n++; }
    }
    n += 128;
    return 0;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 7; i++)
        s += f(i);
    printf("%d %d\n", s, n);
    return 0;
}
