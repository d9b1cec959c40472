/* Arrays with lengths, offsets and indices that have to match: most inputs leave an array. */

static const double table[12] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121};
static int grid[3][4][5];

struct view {
    int rows, cols, stride;
};

double differences(const double *x, int first, int count, int order)
{
    int i, j;
    double sum = 0, w[6];
    if (order > count)
        return -1;
    for (i = 0; i < count; i++)
        w[i] = table[first + i] - x[i];
    for (j = 1; j < order; j++)
        for (i = 0; i < count - j; i++)
            w[i] = (w[i + 1] - w[i]) / j;
    for (i = 0; i < count; i++)
        sum += w[i];
    if (sum > 1000 && order == 3)
        return sum;
    if (first == 7 && count == 5)
        return 2;
    return w[0];
}

double trace(const double *m, struct view v)
{
    double sum = 0;
    int i;
    if (v.rows != v.cols)
        return -1;
    for (i = 0; i < v.rows; i++)
        sum += m[i * v.stride + i];
    if (sum == 7.5 && v.rows == 3)
        return 1;
    return sum;
}

int cell(int i, int j, int k, int how, double value)
{
    int *at = &grid[i][j][k];
    switch (how) {
    case 0:
        *at = value > 0;
        break;
    case 1:
        if (i == 2 && j == 3 && k == 4)
            return 99;
        break;
    default:
        if (i + j + k == 9)
            return 97;
        return -1;
    }
    return *at;
}

/* Memory far after the array is not mapped. */
int far(const int *x, int index)
{
    if (index > 1000000 && x[index] == 0)
        return 1;
    return x[0] > 5;
}

/* Indexes a whole matrix through its first row, as much code does. */
int flat(double m[3][3])
{
    int i;
    double sum = 0;
    for (i = 0; i < 9; i++)
        sum += m[0][i];
    if (sum == 7.5)
        return 1;
    return 0;
}
