#include <stdio.h>

static int copy(char *to, const char *from, int n)
{
    int rounds = (n + 3) / 4;
    int laps = 0;
    switch (n % 4) {
    case 0:
        do {
            laps++;
            *to++ = *from++;
    case 3:
            *to++ = *from++;
    case 2:
            *to++ = *from++;
    case 1:
            *to++ = *from++;
        } while (--rounds > 0);
    }
    *to = 0;
    return laps;
}

int main(void)
{
    char buf[32];
    int laps = copy(buf, "hello world", 11);
    printf("%s %d\n", buf, laps);
    laps += copy(buf, "eightlet", 8);
    printf("%s %d\n", buf, laps);
    return 0;
}
