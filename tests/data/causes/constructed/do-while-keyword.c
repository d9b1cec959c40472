static int first(int n)
{
    int sum = 0;
    do
    {
        sum++;
        if (n > 1)
            break;
        n++;
    }
    while (sum < 3);
    return sum;
}

int main(void)
{
    return first(0) + first(2) + first(5) - 4;
}
