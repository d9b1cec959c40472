// A function with the name of a builtin: gcc folds its call, and the line of the test has no code and no count.
void abort(void);
int signbit(double x)
{
    return x < 0;
}

// No profiler counts this one.
__attribute__((no_profile_instrument_function)) static int hidden(int n)
{
    n += 2;
    return n;
}

int main(void)
{
    volatile double seven = 7;
    if (!signbit(-0.25))
        abort();
    if (signbit(seven))
        abort();
    return hidden(3) - 5;
}
