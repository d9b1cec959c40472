static int g;
static void f(int *n)
{
    int k = 0;
    while (k++ < 1 && (k > *n && g < g)) {
        g = 3;
        --g; } }
static void h(int *n)
{
    while (*n > 5) {
        g = 3;
        while (g == 4 && *n <= g)
        {
            g >= 5 || g == 7;
            -- g; }
            -- g; } }
static void p(int *n)
{
    while (*n > 5) {
        g = 3;
        -- g; } }
int main(void)
{
    for (int i = 0; i < 4; i++) { int v = i; f(&v); h(&v); p(&v); }
    return g > 9;
}
