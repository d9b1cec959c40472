int main(void)
{
    int i, sum = 0;
    for (i = 0;;)
    {
        if (i++ >= 3)
            break;
        sum += ((int[2]) { i, 7 })[0];
    }
    return sum != 6;
}
