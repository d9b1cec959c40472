static int f(int a, int b)
{
    int r = 0;
    switch (a) {
    case 2:
        for (;;)
            if (++r > 20) return r;
    case 3:
        do {
            if (b > 1) return 2;
            r++;
        } while (r < 9);
        while (1)
            if (r++ > 12) return 1;
    }
    return r;
}
int main(void)
{
    int t = 0;
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 3; b++)
            t += f(a, b);
    return t == 0;
}
