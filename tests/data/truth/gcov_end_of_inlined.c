static int g;
static void f(int x)
{
    while (x-- > 0)
        if (x == 100) {
            g++;
            break; } }
static inline __attribute__ ((always_inline)) void h(int x)
{
    while (x-- > 0)
        if (x == 100) {
            g++;
            break; } }
static int k(int x)
{
    while (x-- > 0)
        if (x == 100) {
            return 7;
            break; } return g; }
int main(void)
{
    f(2);
    h(2);
    h(3);
    k(2);
    return 0;
}
