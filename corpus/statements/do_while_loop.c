/* Exercises do-while loops: single pass, many passes, with break, condition on several lines. */
#include <stdio.h>

static int digits(unsigned n)
{
    int count = 0;
    do {
        count++;
        n /= 10;
    } while (n);
    return count;
}

static int search(const int *v, int n, int key)
{
    int i = 0;
    do {
        if (v[i] == key)
            break;
        if (v[i] < 0) {
            puts("negative entry");
            i = n;
            continue;
        }
        i++;
    } while (i < n
             && v[i] != -99
             && key >= 0);
    if (i == n) {
        i = -1;
        puts("not found");
    }
    return i;
}

int main(void)
{
    int v[] = { 4, 8, 15, 16, 23, 42 };
    int retry = 0, at;

    do at = search(v, 6, 16); while (at < 0);
    printf("at %d\n", at);
    printf("digits %d %d %d\n", digits(0), digits(9), digits(123456));

    do {
        if (retry > 3) {
            puts("giving up");
            return 4;
        }
        retry++;
        if (at == 3)
            continue;
        puts("odd place");
        at--;
    } while (retry < 3);

    if (at != 3)
        do {
            at++;
            retry--;
        } while (at < 3);
    printf("retries %d\n", retry);
    return 0;
}
