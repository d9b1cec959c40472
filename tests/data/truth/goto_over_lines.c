static int f(int x)
{
    static void *const labels[] = { &&one, &&two };
    x++;
    goto *labels[x
                 & 1];
one:
    x++;
two:
    x += 2;
    return x;
}
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += f(i);
    }
    return sum != 13;
}
