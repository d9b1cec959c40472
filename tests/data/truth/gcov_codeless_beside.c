int main(void)
{
    int n = 0;
    for (int i = 0; i < 12; i++) {
        if (i > 8)
            n++; switch (i) { }
        if (i > 7)
            n++; do ; while (0);
        if (i > 6)
            n++; if (i) ; else ;
        if (i > 5)
            n++; i = i;
    }
    return n == 100;
}
