/* The six benchmark functions of FloPSy (table 2 of the paper), in their standard forms. Each answers
   whether its condition holds; its true branch is the goal. scripts/flopsy measures them. */
#include <math.h>

#define PI 3.141592653589793

int beale(double x1, double x2)
{
    if (1.5 - x1 * (1 - x2) == 0)
        return 1;
    return 0;
}

int freudenstein_roth(double x1, double x2)
{
    if ((-13 + x1 + ((5 - x2) * x2 - 2) * x2) + (-29 + x1 + ((x2 + 1) * x2 - 14) * x2) == 0)
        return 1;
    return 0;
}

static double theta(double x1, double x2)
{
    if (x1 > 0)
        return atan(x2 / x1) / (2 * PI);
    else if (x1 < 0)
        return atan(x2 / x1) / (2 * PI) + 0.5;
    else
        return 0;
}

int helical_valley(double x1, double x2, double x3)
{
    if (10 * (x3 - 10 * theta(x1, x2)) == 0 && 10 * (sqrt(x1 * x1 + x2 * x2) - 1) == 0 && x3 == 0)
        return 1;
    return 0;
}

int powell(double x1, double x2)
{
    if (1e4 * x1 * x2 - 1 == 0 && exp(-x1) + exp(-x2) - 1.0001 == 0)
        return 1;
    return 0;
}

int rosenbrock(double x1, double x2)
{
    if (pow(1 - x1, 2) + 100 * pow(x2 - x1 * x1, 2) == 0)
        return 1;
    return 0;
}

int wood(double x1, double x2, double x3, double x4)
{
    if (10 * (x2 - x1 * x1) == 0 && 1 - x1 == 0 && sqrt(90) * (x4 - x3 * x3) == 0 && 1 - x3 == 0
        && sqrt(10) * (x2 + x4 - 2) == 0 && (x2 - x4) / sqrt(10) == 0)
        return 1;
    return 0;
}
