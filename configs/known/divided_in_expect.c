static int likely(int a, int b, int c)
{
    if (__builtin_expect(a || (b && c), 1))
        return 1;
    return 0;
}

int main(void)
{
    return likely(0, 1, 1) - 1;
}
