static int kind(int a, int b)
{
    return (a ? b > 1 && b < 4 : b == 1) ? a + 1 : 0;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 12; i++)
        sum += kind(i & 1, i / 2);
    return sum < 0;
}
