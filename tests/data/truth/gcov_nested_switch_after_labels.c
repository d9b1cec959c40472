#include <stdio.h>
static int sw(int k, int r)
{
    switch (k)
    {
    case 1:
        r += 5;
        break;
    case 2: case 4:
        switch (r) { case 6: r++; break; default: r += 2; }
        r++;
    }
    return r;
}
int main(void)
{
    int s = 0;
    for (int i = 0; i < 7; i++) s += sw(i, s);
    printf("%d\n", s);
    return 0;
}
