int f(int a, int b)
{
    return a < 2
&&
    b < 2;
}
int n = 4;
int g(int a)
{
    return (a == 0) ? 4
:
1;
}
int main(void)
{
    f(1, 1); f(2, 1); f(3, 3);
    g(0); g(1); g(2);
    n = n
?
n * 2 : 16;
    return 0;
}
