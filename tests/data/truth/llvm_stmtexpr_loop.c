#include <stdio.h>

static int total;

static int scan(const int *a, int n)
{
    int seen = 0;
    for (int i = 0; i < n; i++) {
        int v = ({ if (a[i] == 0) break; a[i]; });
        seen++;
        v = ({ if (v < 0) continue; v + 1; });
        total += v;
    }
    total += 1000;
    return seen;
}

int main(void)
{
    int a[] = { 4, -1, 7, 0, 9 };
    int b[] = { 1, 2 };
    int r = scan(a, 5);
    r = r * 10 + scan(b, 2);
    printf("%d %d\n", r, total);
    return 0;
}
