#define CHK(e) if (e) return 1
static int f(int x)
{
    CHK(
        x == 1
    ); x++; CHK(x == 7);
    return 0;
}
int main(void)
{
    int t = 0;
    for (int i = 0; i < 7; i++)
        t += f(i);
    return t != 2;
}
