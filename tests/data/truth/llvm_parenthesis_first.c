int main(void)
{
    int n = 0, m = 0;
    for (int i = 0; i < 5; i++) {
        if (i != 0 && (i <= 1
            )) {
            n++;
        }
        if (i < 3 && (i > 0
            ) && i != 1)
            m++;
        if (i < 2
            ) m++;
    }
    while (n < 4
           ) { n++; }
    return n + m - 7;
}
