static int g(int x)
{
    return x;
}
static int f(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) s +=
        g(i); g(s);
    return s;
}
static inline __attribute__((always_inline)) int pick(int v, const int mode)
{
    switch (mode) {
    case 0:
        v++;
        break;
    default:
        v += 3;
    }
    return v;
}
static int tested(int s)
{ return s
      > 3; }
int main(void)
{
    int t = 0;
    for (int i = 0; i < 5; i++)
        t += pick(i, 0);
    if (({
        int z = tested(t);
        z > 0;
    }))
        t++;
    return f(1) + f(3) + t > 100;
}
