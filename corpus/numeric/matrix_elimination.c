/* Exercises Gaussian elimination with pivoting; the singular branch does not run. */
#include <stdio.h>
#include <math.h>

#define N 3

static double magnitude(double x) { return x < 0 ? -x : x; }

static int solve(double a[N][N + 1], double x[N])
{
  for (int col = 0; col < N; col++)
    {
      int pivot = col;

      for (int row = col + 1; row < N; row++)
        if (magnitude(a[row][col]) > magnitude(a[pivot][col]))
          pivot = row;

      if (magnitude(a[pivot][col]) < 1e-9)
        {
          printf("singular in column %d\n", col);
          for (int i = 0; i < N; i++)
            x[i] = 0;
          return -1;
        }

      if (pivot != col)
        for (int k = 0; k <= N; k++)
          {
            double t = a[col][k];
            a[col][k] = a[pivot][k];
            a[pivot][k] = t;
          }

      for (int row = col + 1; row < N; row++)
        {
          double f = a[row][col] / a[col][col];
          for (int k = col; k <= N; k++)
            a[row][k] -= f * a[col][k];
        }
    }

  for (int row = N - 1; row >= 0; row--)
    {
      x[row] = a[row][N];
      for (int k = row + 1; k < N; k++)
        x[row] -= a[row][k] * x[k];
      x[row] /= a[row][row];
      if (isnan(x[row]))
        {
          puts("not a number");
          x[row] = 0;
          goto give_up;
        }
    }
  return 0;

give_up:
  puts("giving up");
  return -2;
}

int main(void)
{
  double a[N][N + 1] = {
    { 0, 2, 1, 7 },
    { 1, 1, 1, 6 },
    { 2, 1, -1, 1 },
  };
  double x[N];

  if (solve(a, x) < 0)
    {
      puts("no solution");
      return 1;
    }
  printf("%.3f %.3f %.3f\n", x[0], x[1], x[2]);
  return 0;
}
