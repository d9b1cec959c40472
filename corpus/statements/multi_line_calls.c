/* Exercises calls split over several lines, nested calls too, in live and in dead code. */
#include <stdio.h>
#include <string.h>

static int combine(int a, int b, int c, int d)
{
    if (a == 0 && b == 0) {
        fprintf(stderr,
                "both are zero: "
                "%d %d\n",
                c,
                d);
        return combine(1,
                       1,
                       c,
                       d);
    }
    return a * 1000
        + b * 100
        + c * 10
        + d;
}

static int twice(int x) { return 2 * x; }

int main(void)
{
    char text[64];
    int v;

    v = combine(
        1,
        twice(1),
        combine(
            0,
            0 + 1,
            0,
            0
        ) / 50,
        4
    );
    printf("%d %d\n",
           v,
           combine(twice(
                       twice(1)),
                   3, 2,
                   1));

    snprintf(text, sizeof text,
             "%s/%s.%s",
             "folder", "name",
             "c");
    puts(
        text
    );
    if (strcmp(text,
               "folder/name.c") != 0) {
        printf(
            "wrong text %s\n",
            text
        );
        snprintf(text,
                 sizeof text, "%d",
                 twice(v));
        puts
            (text);
        return 1;
    }
    else if (v < 0) {
        puts("negative");
        v = 0;
        v = combine(v, 1,
                    2, 3);
        return 2;
    }
    else
        (void) twice
            (
                v
            );
    return 0;
}
