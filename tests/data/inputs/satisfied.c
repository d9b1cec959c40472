/* Boolean functions; tests/inputs/goals.rs knows which can be true, and for which inputs. */
#include <math.h>

/* Equation 14 of the paper on Mathematical Execution. */
int paper(double x) { return pow(2.0, x) <= 5.0 && x * x >= 5.0 && x >= 0.0; }

int linear(int x, int y) { return 3LL * x + 5LL * y == 1 && x > 100 && y > -1000; }
int system2(double x, double y) { return x + y == 10.0 && x * y == 21.0; }
int huge_step(double x) { return x + 1.0 == x && x > 0.0; }
int wave(double x) { return sin(x) > 0.9999 && x > 100.0 && x < 110.0; }
int tangent(double x) { return exp(x) == x + 1.0; }
int cubic(double x) { return fabs(x * x * x - 2.0 * x - 5.0) < 1e-9; }
int either(double x) { return (x == 3.75 || x == 2.25) && x < 3.0; }
int neither(double x) { return !(x < 10.0 || x > 10.0) && x == x; }
int field(unsigned x) { return (x & 0xffu) == 0xabu && x >> 24 == 0x12u; }
int remainders(int x) { return x % 97 == 13 && x % 101 == 55 && x > 0; }
int negative(float f) { return f * f == 2.25f && f < 0.0f; }
int through_if(int x, int y)
{
    int r = 0;
    if (x == 123456)
        if (y == x / 2)
            r = 1;
    return r;
}
int product(int x, int y) { return (x == 98765432) * (y == -555555); }
int arms(double x) { return x > 0.0 ? x * x == 6.25 : x == -1.0e10; }
long long large(long long a) { return a / 1000003 == 9000000 && a % 1000003 == 999; }
double wide(double x) { return x > 1.0e300 ? x : 0.0; }
int four(double a, double b, double c, double d) { return a < b && b < c && c < d && d < a + 1e-3; }

/* None of these is ever true. */
int no_gap(double x) { return x > 5.0 && x < 5.0; }
int no_square(double x) { return x * x < 0.0; }
int no_cycle(int x, int y, int z) { return x < y && y < z && z < x; }
int no_step(double x) { return x + 1.0 == x && x < 1000.0 && x > -1000.0; }
int no_sine(double x) { return sin(x) > 1.0; }
int no_exp(double x) { return exp(x) < x; }
int no_parity(unsigned x) { return x % 2u == 0u && x % 4u == 1u; }
int no_natural(unsigned u) { return u < 0u; }
int no_float(float f) { return f == 0.1; }
