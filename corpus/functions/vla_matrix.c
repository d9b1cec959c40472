/* Exercises variable length arrays, as locals, as parameters, and in a branch that never runs. */
#include <stdio.h>

static void fill(int rows, int cols, int m[rows][cols])
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            m[r][c] = r * cols + c;
}

static int trace(int n, int m[n][n])
{
    int t = 0;
    for (int i = 0; i < n; i++) {
        t += m[i][i];
        if (t < 0) {
            int copy[n];
            copy[0] = t;
            puts("negative trace");
            t = -copy[0];
        }
    }
    return t;
}

static int column_sum(int rows, int cols)
{
    if (rows < 1 || cols < 1) {
        puts("empty matrix");
        return 0;
    }
    int m[rows][cols];
    fill(rows, cols, m);
    int sums[cols], best = 0;
    for (int c = 0; c < cols; c++) {
        sums[c] = 0;
        for (int r = 0; r < rows; r++)
            sums[c] += m[r][c];
        if (sums[c] > best)
            best = sums[c];
        else {
            puts("not growing");
            continue;
        }
    }
    printf("%zu columns\n", sizeof sums / sizeof sums[0]);
    return best;
}

int main(void)
{
    int n = 4;
    int square[n][n];
    fill(n, n, square);
    printf("trace %d\n", trace(n, square));
    for (n = 1; n <= 3; n++) {
        int row[n * 2];
        row[n] = column_sum(n, n + 1);
        if (row[n] > 1000)
            break;
        printf("best %d\n", row[n]);
    }
    if (n < 4) {
        int rest[4 - n];
        rest[0] = n;
        printf("stopped at %d\n", rest[0]);
        return 1;
    }
    return 0;
}
