static int f(int x)
{
    for (int i = 0;
         i < 5; i++) {
        x++; } return x + 2;
}
int main(void)
{
    return f(1) != 8;
}
