#include <stdio.h>
int f(int a, int b) {
    if (a && b)
    { int c;
        c = a;
        if (c > 1)
            return 0;
    } else
        a--;
    return 0;
}
int main(void) {
  printf("%d\n", f(1, 1) + f(2, 1));
}
