static int f(int x, int n)
{
    switch (x)
        for (;;) {
        case 0:
            x++;
            if (x >= n)
                break;
        }
    return x;
}
int main(void)
{
    return f(0, 5) + f(1, 3) != 6;
}
