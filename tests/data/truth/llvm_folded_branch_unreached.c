#include <stdio.h>
static int n;
int main(void)
{
    switch (n) {
        do {
            n += 3;
        } while (0);
    case 0:
        n++;
    }
    printf("%d\n", n);
    return 0;
}
