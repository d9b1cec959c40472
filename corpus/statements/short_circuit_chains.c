/* Exercises && and || chains over several lines, with operands that are never evaluated. */
#include <stdio.h>
#include <stdbool.h>

static int checks;

static bool check(int id, bool result)
{
    checks += id;
    if (id > 500) {
        printf("unknown check %d\n", id);
        checks = 0;
        return false;
    }
    return result;
}

static bool never(int id)
{
    printf("never %d\n", id);
    checks *= 2;
    return true;
}

int main(void)
{
    bool ok = check(1, true)
        && check(2, true)
        && check(4, false)
        && never(8)
        && never(16);
    bool any = check(32, false)
        || check(64, true)
        || never(128);
    bool mixed = (ok && never(1))
        || (any && check(3, true))
        || (never(5)
            && never(6));

    printf("%d %d %d %d\n", ok, any, mixed, checks);
    if (!any
        || ok
        || (mixed && check(7, false))
        || !check(9, true))
    {
        puts("inconsistent");
        ok = any = false;
        return 1;
    }
    any && check(11, true);
    ok && never(13);
    mixed || never(17);
    ok || (any && check(19, false)) || check(23, true);
    while (ok && never(2))
        puts("loop");
    for (int i = 0; i < 5 && (any || never(i)); i++)
        checks += i;
    return printf("%d\n", checks) > 0 && !ok
        ? 0
        : 2;
}
