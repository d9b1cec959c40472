static int n;

#define both(a, b) \
    n += a; \
    n += b

static void count(void)
{
#define with_one(x) \
    n++; \
    both(1, \
         x)
    with_one(1);
    with_one(2);
}

int main(void)
{
    count();
    return n - 7;
}
