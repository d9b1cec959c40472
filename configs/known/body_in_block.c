static int x;
static int f(int a, int b)
{
    int k = 0;
    do {
        ++x;
    } while (++k < 3 && (a < 2 || b > 4));
    return k;
}
int main(void)
{
    return f(5, 9) != 3;
}
