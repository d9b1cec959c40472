static int calls;

static int test(int x)
{
    calls++;
    return x;
}

int main(void)
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        if (test(i)
            && test(i + 1)
            && 1)
            n++;
        if (test(0)
            || test(i)
            || 0)
            n++;
    }
    return n != 4 || calls != 11;
}
