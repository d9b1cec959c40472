#include <stdio.h>
int main(void)
{
    int n = 0, kept = 0;
    for (int i = 0; i < 4; i++) {
        do {
            if (i == 2)
                break;
            kept++;
        } while (0);
        n += 10;
    }
    printf("%d %d\n", kept, n);
    return 0;
}
