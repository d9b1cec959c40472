/* { dg-options "-fprofile-arcs -ftest-coverage" } */

static int sum(int most)
{
    int total = 0;                  /* count(2) */
                                    /* branch(29) */
    for (int i = 0; i < most; i++)  /* count(7) */
        total += i;                 /* count(5) */
                                    /* branch(end) */
    if (total > 100)
        total = 0;                  /* count(#####) */
    return total;
}

int main(void)
{
    sum(5);
                                    /* returns(100) */
    sum(0);
                                    /* returns(end) */
    return 0;
}
