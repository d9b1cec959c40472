#define M0(a) do { int k = 0; \
        while (k < 12) { k++; if (k < a) continue \
            ; } } while (0)
#define M1(a) do { int k = 0; \
        while (k < 12) { k++; if (k < a) continue \
            ; } } while (0)
#define M2(a) do { int k = 0; \
        while (k < 12) { k++; if (k < (a)) continue \
            ; } } while (0)
static void f(void)
{
    M1(5);
    M1(8);
}
int main(void)
{
    M0(5);
    f();
    M2(({ 3; }));
    return 0;
}
