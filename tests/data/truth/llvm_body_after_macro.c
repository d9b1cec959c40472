#define THREE for (i = 0; i < 3; i++)
#define ODD(i) for (i = 0; i < 8; i++) if (i & 1)
#define COUNT THREE { n++; }
#define UNTIL(test) do { if (test) goto out; } while (0); COUNT
#define CASE(value) break; case value:
#define REST break; default:

static int of(int kind)
{
    int n = 0;
    switch (kind) {
    CASE(0) n++;
    CASE(1) n += 2; if (n > 100) return 7;
    REST n--;
    }
    return n;
}

int main(int argc, char **argv)
{
    int i, n = 0;
    if (argc > 10)
        return 1;
    THREE { n++; }
    if (argc > 9)
        goto out;
    ODD(i) n++;
    if (argc > 8)
        return 2;
    COUNT
    UNTIL(argc > 7)
    if (argc > 6)
        goto out;
    THREE if (i == 1) n++; else n--;
out:
    return n + of(0) + of(1) == 100;
}
