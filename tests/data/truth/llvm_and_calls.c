static int first(int x) { return x > 1; }
static int second(int x) { return x > 3; }
static int third(int x) { return x > 4; }

static int all(int x)
{
    return first(x)
        && second(x)
        && third(x);
}

int main(void)
{
    int n = 0;
    for (int i = 0; i < 6; i++)
        n += all(i);
    return n != 1;
}
