int f(int x)
{
    x++;

    /* comment */ x = x * 2;
    return x;
}

int main(void)
{
    return f(1) != 4;
}
