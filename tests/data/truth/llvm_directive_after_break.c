int n;
static void f(int x)
{
    switch (x) {
    default:
        break;
#if 1
    case 1:
        break;
#endif
    case 2:
        while (n < 3) {
            n++;
        }
#if 1
    case 3:
        n = 0;
#endif
    }
}
int main(void)
{
    f(0);
    f(1);
    f(2);
    f(2);
    f(3);
    return 0;
}
