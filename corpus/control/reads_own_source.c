/* Control: opens its own source by __FILE__ and counts lines; deleted statements change the counts. */
#include <stdio.h>

int main(void)
{
    FILE *f = fopen(__FILE__, "r");
    int c, lines = 0, semicolons = 0;

    if (f == NULL) {
        puts("source is not here");
        return 0;
    }
    while ((c = fgetc(f)) != EOF) {
        if (c == '\n')
            lines++;
        else if (c == ';')
            semicolons++;
        else if (c == '\a') {
            puts("bell");
            lines = 0;
        }
    }
    fclose(f);
    printf("%s: %d lines, %d semicolons\n", __FILE__, lines, semicolons);
    if (lines > 100000) {
        puts("long program");
        lines = 0;
        return 1;
    }
    return 0;
}
