int f(int y)
{
    int n = 0;
    switch (y)
    { case 3:
        n = 1; }
    switch (y) { case 1: return 1;
    } return n;
}

int main(void)
{
    return f(1) + f(1) - 2;
}
