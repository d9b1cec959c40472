static int next(int n)
{
    int r = n;
    while (1) do {
        r++;
        if (r > 40)
            return r;
    } while (r % 4);
}

int main(void)
{
    return next(0) != 41;
}
