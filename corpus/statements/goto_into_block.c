/* Exercises goto into a block, into a loop body and into an if arm, skipping statements that then never run. */
#include <stdio.h>

int main(void)
{
    int i = 5, total = 0;

    goto into_loop;
    for (i = 0; i < 8; i++) {
        if (i < 3) {
            puts("skipped by the jump");
            total += 1000;
        }
        total += 10;
into_loop:
        total += i;
    }
    printf("loop %d %d\n", i, total);

    if (total > 10000) {
        puts("large");
        total = 0;
into_then:
        total++;
        if (total < 0)
            puts("negative");
    } else {
        total += 2;
        goto into_then;
    }
    printf("arm %d\n", total);

    goto into_block;
    {
        puts("start of the block");
        total = -1;
into_block:
        total *= 2;
    }

    goto into_while;
    while (i > 0) {
        if (i == 1000)
            goto unreached;
        total--;
into_while:
        i -= 2;
    }
    printf("end %d %d\n", i, total);
    return 0;

unreached:
    puts("unreached");
    total = 0;
    return 1;
}
