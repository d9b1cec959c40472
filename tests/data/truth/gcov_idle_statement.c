static int g;
int f(int x)
{
    if (x > 5)
        return 1; x >= 3;
    if (x > 5)
        return 1; 19 >= 3;
    if (x > 5)
        return 1; 19 >= (int) sizeof (f(x));
    if (x > 5)
        return 1; x + g;
    if (x > 5)
        return 1; _Generic(1, int : x, default : g);
    return 0;
}
int main(void)
{
    return f(0) + f(1);
}
