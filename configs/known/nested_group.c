static int any(int a, int b, int c, int d)
{
    return a || (b && (c || d));
}

int main(void)
{
    return any(0, 1, 0, 1) - 1;
}
