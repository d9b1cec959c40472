#define M1 (g + 1)
int g = 9, h = 1;
int f(int a, int b) { return a + b; }
int main(void)
{
    int a = 7 > g && h <
        h, b = f(h, 2);
    int c = f(7 > g && h <
        h, M1);
    int d = f(7 > g && h <
        h, f(h, 2) + c);
    return a + b + c + d == 0;
}
