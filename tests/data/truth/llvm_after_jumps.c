// A region and a gap follow each statement that a jump, exit or abort may leave; none follows the others.
void abort(void);
void exit(int);
static int step(const char *p, int n)
{
    if (*p == 'a' || *p == 'b')
        return 1;
    else if (n > 100)
        abort();
    n++;
    for (; *p; p++) {
        if (*p == 'x')
            break;
        n += 2;
    }
    n--;
    while (n > 0) {
        if (n == 3)
            return n;
        n--;
    }
    n++;
    switch (n) {
    case 1:
        n = 7;
    }
    n--;
    {
        if (n < 0)
            exit(3);
    }
    n += 2;
    do {
        if (n > 50)
            return 2;
        n++;
    } while (n < 10);
    return n;
}

static int never(int n)
{
    if (n) return 1; else{ n++; }
    return n;
}

int main(void)
{
    int (*unused)(int) = never;
    return step("a", 1) + step("cx", 4) + step("c", 0) - 4 + !unused;
}
