/* Conditions of other functions: with --callees they are covered too. */
static int inner(int x)
{
    if (x == 4242)
        return 1;
    return 0;
}

static int never_called(int x)
{
    if (x > 3)
        return 1;
    return 0;
}

int outer(int x)
{
    if (x > 10)
        return inner(x * 2);
    return 0;
}

int (*const kept)(int) = never_called;
