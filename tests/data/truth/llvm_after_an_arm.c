// A line runs as often as control comes to it: to either arm, and to the code after an arm.
#include <assert.h>
#include <stdio.h>

static int calls;

static int next(void)
{
    return ++calls;
}

static int either(int a)
{
    return a
        ? 3 : 4;
}

static void show(int a)
{
    printf("%s %d\n", a ? "yes"
                        : "no", next());
}

static int after_jump(int a)
{
    if (a > 3)
        return 3;
    _Static_assert(sizeof(a) == 4, "int");
    int z = a;
    return z;
}

static int shortened(int a, int b)
{
    return a ?: b ?: 2;
}

int main(void)
<%
    int t = 0;
    for (int i = 0; i < 5; i++) {
        t += either(i & 1) + after_jump(i) + shortened(i & 1, i & 2);
        assert(t > 0 || i < 0);
        show(i);
    }
    return t > 1000;
%>
