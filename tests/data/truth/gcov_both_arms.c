int f(int x)
{
    int y = 0;
    y = (x > 1
        ) ? x : -x;
    return y;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += f(i);
    return sum - 8;
}
