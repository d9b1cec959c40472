static int f(int n)
{
    int x = 0;
    for (;;
         x = x > 3 ?
         x + 2 :
         x + 1) {
        int y = x;
        if (y >= n)
            break;
    }
    return x;
}
int main(void)
{
    return f(9) != 10;
}
