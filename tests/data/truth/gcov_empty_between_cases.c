static int g;
static void f(int x)
{
    switch (x) {
    case 6:;
    case 4:
        g++;
        break;
    case 5:
        g += 2;
    }
}
int main(void)
{
    f(6);
    f(4);
    f(4);
    f(5);
    return g != 5;
}
