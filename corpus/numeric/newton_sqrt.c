/* Exercises a Newton square root with error branches for bad input and for no convergence. */
#include <stdio.h>

static int newton_sqrt(double x, double *root)
{
    double guess, next, error;
    int steps = 0;

    if (x < 0.0) {
        fprintf(stderr, "square root of a negative number\n");
        *root = 0.0;
        return -1;
    }
    if (x == 0.0) {
        *root = 0.0;
        return 0;
    }
    guess = x > 1.0 ? x / 2.0 : 1.0;
    do {
        next = 0.5 * (guess + x / guess);
        error = next - guess;
        if (error < 0.0)
            error = -error;
        guess = next;
        steps++;
        if (steps > 100) {
            puts("no convergence");
            *root = guess;
            return -2;
        }
    } while (error > 1e-12 * guess);
    *root = guess;
    return steps;
}

int main(void)
{
    const double inputs[] = { 0.0, 2.0, 144.0, 0.25, 1e10 };
    double root, sum = 0.0;
    int steps, most = 0;

    for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        steps = newton_sqrt(inputs[i], &root);
        if (steps < 0) {
            printf("failed for %g\n", inputs[i]);
            sum = 0.0;
            most = -1;
            break;
        }
        if (steps > most)
            most = steps;
        sum += root;
        printf("%.6f\n", root);
    }
    if (most > 60) {
        puts("slow");
        return 1;
    }
    printf("sum %.4f\n", sum);
    return 0;
}
