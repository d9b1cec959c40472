#include <stdio.h>

static int f(int x)
{
    while (1) {
        if (x++ > 4) {
            return x;
        }
    }
}

static int g(int x)
{
    for (int i = 0; i < x; i++)
    {
        if (i == 2)
        {
            break;
        }
        else { continue;
        }
    }
    {
        return x;
    }
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 7; i++) {
        s += f(i) * g(i);
        if (i == 5) {
            goto end;
        }
    }
end:
    printf("%d\n", s);
    return 0;
}
