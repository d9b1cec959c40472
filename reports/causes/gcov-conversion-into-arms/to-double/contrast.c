#include <stdio.h>
double f(int *a, int b) {
    int f = 1 * (b < 1 ? a[b] : 0);
    return 0;
}
int main(void) {
  int a[] = {0};
  printf("%g\n", f(a, 0) + f(0, 1));
}
