int next(int n)
{
    void *to[] = { &&one, &&two };
    goto *to[n];
one:
    n++;
two:
    return n;
}
int main(void)
{
    return next(0) + next(1) - 2;
}
