static int f(int n)
{
    for (int i = 0;;) {
        if (i > n)
            return 0;
        int k = 1;
        if (k & 1) i += k; else i++;
    }
}
int main(void)
{
    int once = 0;
    if (once)
        return 1; int k;
    k = f(3) + f(2);
    return k;
}
