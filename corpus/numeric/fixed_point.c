/* Exercises 16.16 fixed-point arithmetic with saturation and division guards that do not trigger. */
#include <stdio.h>
#include <stdint.h>

typedef int32_t fixed;

#define ONE ((fixed)65536)

static int saturated;

static fixed narrow(int64_t v)
{
    if (v > INT32_MAX)
    {
        saturated++;
        v = INT32_MAX;
    }
    else if (v < INT32_MIN)
    {
        saturated++;
        v = INT32_MIN;
    }
    return (fixed)v;
}

static fixed from_int(int v) { return narrow((int64_t)v * ONE); }

static fixed mul(fixed a, fixed b)
{
    return narrow((int64_t)a * b / ONE);
}

static fixed quotient(fixed a, fixed b)
{
    if (b == 0)
    {
        puts("fixed division by zero");
        saturated++;
        return a < 0 ? INT32_MIN
                     : INT32_MAX;
    }
    return narrow((int64_t)a * ONE / b);
}

static fixed sine(fixed x)
{
    fixed term = x, sum = x;
    for (int n = 1; n <= 6; n++)
    {
        term = quotient(mul(mul(term, x), x), from_int(2 * n * (2 * n + 1)));
        if (n % 2)
            sum -= term;
        else
            sum += term;
        if (term == 0)
        {
            break;
        }
    }
    return sum;
}

static void show(const char *name, fixed v)
{
    int64_t thousandths = (int64_t)v * 1000 / ONE;
    if (thousandths < 0)
    {
        printf("%s = -", name);
        thousandths = -thousandths;
    }
    else
        printf("%s = ", name);
    printf("%d.%03d\n", (int)(thousandths / 1000), (int)(thousandths % 1000));
}

int main(void)
{
    show("product", mul(from_int(3), ONE / 2));
    show("third", quotient(ONE, from_int(-3)));
    show("sine", sine(ONE));
    if (saturated)
    {
        printf("saturated %d times\n", saturated);
        saturated = 0;
        return 1;
    }
    return 0;
}
