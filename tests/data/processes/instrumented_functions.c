static int entries;
static int depth;
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *function, void *from)
{
    (void)function;
    (void)from;
    entries++;                                          // ran 4
    if (entries > 100)                                  // ran 4
        __builtin_abort();                              // ran 0
}
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *function, void *from)
{
    (void)function;
    (void)from;
    depth--;                                            // ran 4
}
static int next(int n)
{
    return n + 1;                                       // ran 3
}
int main(void)
{
    int n = next(next(next(0)));                        // ran 1
    return n == 3 ? 0 : 1;                              // ran 1
}
