static int choose(int x)
{
    return x > 0
        ? x + 1
        : x - 1;
}

int main(void)
{
    int n = 0;
    for (int i = 1; i < 4; i++)
        n += choose(i);
    return n != 9;
}
