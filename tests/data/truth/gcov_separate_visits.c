int q[9], n = 5, s;
int add(int a, int b)
{
    return a + b; } int twice
(int x)
{
    return 2 * x;
}
int main(void)
{
    for (; n > 1 &&
q[n] == 0; n--
) {
        if (n == 2) continue;
        s++;
    }
    for (int i = 0; i < 3; i++) {
        n++; } int k
= n;
    return k - 4 + twice(1) + twice(2) + add(1, 2) - add(3, 6);
}
