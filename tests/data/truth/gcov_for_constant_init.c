int a;
static void f(void)
{
    for (15;; a++)
        if (a > 2)
            break;
}
int main(void)
{
    for (0; a < 2; a++)
        ;
    f();
    f();
    return 0;
}
