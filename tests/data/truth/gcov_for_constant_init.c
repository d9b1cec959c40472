int a;
static void f(void)
{
    for (15;; a++)
        if (a > 2)
            break;
}
static int g(int n)
{
    int sum = 0;
    while (n--) {
        for (0;;) {
            if (n > sum)
                break;
            return sum;
        }
        sum++;
    }
    return sum;
}
int main(void)
{
    for (0; a < 2; a++)
        ;
    f();
    f();
    g(5);
    return 0;
}
