#include <stdio.h>

#define DRAINED(level) ({ int left = (level); while (left > 0) left--; left == 0; })

static int stopped(int valve, int level)
{
    return valve && DRAINED(level);
}

int main(void)
{
    printf("%d %d\n", stopped(0, 2), stopped(1, 2));
    return 0;
}
