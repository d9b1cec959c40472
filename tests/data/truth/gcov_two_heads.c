static int f(int n)
{
    int s = 0; for
        (int j = 0; j < n; j++) s ^= j; while (n-- > 0) {
        s++; }
    return s; }
int main(void)
{
    int t = 0;
    for (int i = 1; i < 9; i++)
        t += f(i);
    return t == 0;
}
