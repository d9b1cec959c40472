static int a, b, n;

int main(void)
{
    for (int i = 0; i < 5; i++)
        for (; a; a--)
            ;
    for (int i = 0; i < 4; i++)
        while (b)
            ;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; n += j, j++);
    while (n < 9)
        if (n++ > 6)
            ;
    return n != 9;
}
