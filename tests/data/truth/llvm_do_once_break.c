#include <stdio.h>

#define STORE(dst, v) do { if ((v) < 0) break; (dst) += (v); } while (0)

int main(void)
{
    int data[] = { 3, -4, 5, -6 };
    int acc = 0, n = 0;
    for (int i = 0; i < 4; i++) {
        STORE(acc, data[i]);
        n++;
        do {
            if (data[i] == 5)
                break;
            acc += 100;
        } while (0);
        n += 10;
    }
    printf("%d %d\n", acc, n);
    return 0;
}
