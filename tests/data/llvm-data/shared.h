inline int twice(int n)
{
    return n > 2 ? 2 * n : n + n;
}
int other(int n);
