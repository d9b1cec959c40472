int printf(const char *, ...);
static int r(int x) { do {
        x -= 2;
    } while (x > 0);
    return x;
}
int main(void)
{
    int t = 0;
    for (int i = 0; i < 7; i++)
        t += r(i);
    printf("%d\n", t);
    return 0;
}
