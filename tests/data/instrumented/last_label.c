int printf(const char *, ...);
static int f(int n) // 4
{
    int sum = 0; // 4
    for (int i = 0; i < n; i++) { // 4 6 10
        if (i == 1) // 6
            goto next; // 2
        sum += i; // 4
    next: // 6
    }
    switch (n) { // 4
    case 3: // 1
        goto end; // 1
    default: // 3
        sum++; // 3
    end: // 4
    }
    return sum; // 4
}
static int g(int n) // 2
{
    goto in; // 2
out: // 2
    n *= 2; // 2
    goto end; // 2
in: // 2
    goto out; // 2
    { n *= 3; end: } // 0 2
    return n; // 2
}
int main(void) // 1
{
    int sum = f(0) + f(1) + f(2) + f(3) + g(-1) + g(1); // 1
    return !(printf("%d\n", sum) > 0 && sum == 5); // 1
}
