#include <stdio.h>

static int f(int x)
{
    /* one
       two */ int s = x;
    s += 2; /* a comment that
    ends here */ s *= 3;
    if (x) /* then */ { /* of
        it */ s++; } /* not */ else { // here
        s += 4; } /*
    return 99;
    */
    // s = 0; \
    s = 1;
    return /* what */
        s;
}

int main(void)
{
    int t = 0;
    for (int i = 0; i < 4; i++) /* nothing */
        /* here */
        t += f(i); // end
    printf("%d\n", t);
    return 0;
}
