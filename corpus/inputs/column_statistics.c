// Exercises fgets and sscanf over comma-separated stdin, with a column chosen by argv.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *field(char *line, int column) {
    char *p = line;
    while (column-- > 0) {
        p = strchr(p, ',');
        if (!p) {
            printf("line is too short: %s\n", line);
            return NULL;
        }
        p++;
    }
    p[strcspn(p, ",\r\n")] = '\0';
    return p;
}

int main(int argc, char **argv) {
    char line[200];
    int column = 0, n = 0, skipped = 0;
    long sum = 0, least = 0, most = 0;

    if (argc > 2) {
        fputs("too many arguments\n", stderr);
        return 2;
    }
    if (argc == 2) {
        column = atoi(argv[1]);
        if (column < 0 || column > 50) {
            puts("bad column");
            column = 0;
            return 3;
        }
    }
    while (fgets(line, sizeof line, stdin)) {
        long v;
        char rest;
        char *text = field(line, column);
        if (!text) { skipped++; continue; }
        if (sscanf(text, "%ld%c", &v, &rest) != 1) {
            skipped++;
            if (skipped > 20) {
                puts("too many bad lines");
                goto out;
            }
            continue;
        }
        if (n == 0 || v < least) least = v;
        if (n == 0 || v > most) most = v;
        sum += v;
        n++;
        if (sum > 1000000000L || sum < -1000000000L) { puts("sum is too large"); sum = 0; goto out; }
    }
    if (n == 0) {
        puts("no numbers");
        return 1;
    }
    printf("%d values, sum %ld, from %ld to %ld\n", n, sum, least, most);
out:
    printf("%d skipped\n", skipped);
    return 0;
}
