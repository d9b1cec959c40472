#include <stdio.h>

static void show(int sign, int exact, int large)
{
    printf("%d %s\n", sign, exact ? "=" : sign && large ? ">>" : ">");
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        show(i, i == 2, i == 1);
        show(i, 0, 0);
    }
    return 0;
}
