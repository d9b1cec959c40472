/* Exercises #if, #elif, #else and #ifdef between statements of a function. */
#include <stdio.h>

#define WITH_SUM 1
#define LEVEL 2
#undef WITH_TRACE

static int work(int n)
{
    int r = 0;
#if WITH_SUM
    for (int i = 0; i < n; i++)
        r += i;
#else
    r = n;
#endif
#ifdef WITH_TRACE
    printf("trace %d\n", r);
    r++;
#endif
#if LEVEL == 1
    r *= 10;
#elif LEVEL == 2
    r *= 100;
    if (r > 100000) {
        puts("large");
#if WITH_SUM
        r /= 2;
        puts("halved");
#endif
        r--;
    }
#else
#error no such level
#endif
    return r;
}

int main(void)
{
    int a = work(5)
#if LEVEL > 1
          + work(3)
#endif
        ;
#if 0
    puts("compiled out");
    a = 0;
#endif
    if (a < 0) {
        puts("negative");
#ifdef __clang__
        a = 1;
#else
        a = 2;
#endif
        a = -a;
    }
    printf("%d\n", a
#ifdef WITH_TRACE
           + 1
#endif
    );
    switch (a) {
#if LEVEL == 2
    case 1300:
        puts("as expected");
        break;
#endif
    case 0:
        puts("zero");
        return 1;
#if LEVEL == 7
    case 7:
        puts("seven");
#endif
    }
    return 0;
}
