#define ALL(ONE) \
    ONE(1) \
    ONE(2)
#define TEST(n) \
    if (x > n) sum++;
static int f(int x)
{
    int sum = 0;
    ALL(TEST)
    return x > 2
        ? sum
        : -sum;
}
int main(void)
{
    return f(1) + f(2) + f(2) + f(0) > 100;
}
