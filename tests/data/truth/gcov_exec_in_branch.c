#include <unistd.h>

static int started(int n)
{
    int code = n;
    if (n == 1) {
        code = 3;
        execlp("true", "true", (char *) 0);
    }
    return code;
}

int main(void)
{
    int sum = started(0) + started(2);
    sum += started(1);
    return sum;
}
