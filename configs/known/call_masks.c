static int id(int k)
{
    return k;
}

static int any(int a, int b, int c)
{
    return a || id(b) || c;
}

int main(void)
{
    return any(0, 0, 1) + any(0, 3, 0) - 2;
}
