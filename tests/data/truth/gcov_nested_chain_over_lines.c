static int g0 = 3, g1 = 1, k, n;
int main(void)
{
    while ((n < 9 &&
        g1 > g0) == n && ++k < 4)
        ;
    return 0;
}
