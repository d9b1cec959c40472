int x = 0, p = 3, a, k, j, n;
int main(void)
{
    if (p == 4) {
        x--; } if
        (p >= 3)
        x = 4;
    while (a < 6)
    { for (k = 0; k++ < 1;)
            ++a; } for (;;)
    {
        if (k++ > 5)
            break;
    }
    do { for (k = 0;
            k ++ < 5;)
            n++;
        a++;
    } while (j++ < 2);
    return 0;
}
