static int f(int x)
{
    if (x > 2)
        return 1;
    x++;
    if (x > 1)
        return 2;
    {
        int y = x;
        return y;
    }
}

/* Lines of braces are reported only next to other lines. */
static void g(int x)
{
    switch (x)
        case 7:
            x++;
}

int main(void)
{
    g(0);
    return f(0) + f(2) + f(3) - 4;
}
