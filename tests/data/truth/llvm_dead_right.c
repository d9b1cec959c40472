#include <stdio.h>

static int n;

static int f(int x) {
    for (;;) {
        n += x;
        break;
        n = 100;
    }
    switch (x) {
    case 1:
        goto end;
        n = 200;
    case 2:
        return 5;
        n = 300;
    case 3:
        break;
        n = 400;
    }
    while (x > 0) {
        x -= 2;
        n++;
        continue;
        n = 500;
    }
end:
    return n;
    n = 600;
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 5; i++)
        s = s * 2 + f(i);
    printf("%d\n", s);
    return 0;
}
