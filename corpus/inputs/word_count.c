/* Exercises reading stdin by characters: lines, words and characters, with options in argv. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    long lines = 0, words = 0, chars = 0, longest = 0, column = 0;
    int c, in_word = 0, show_longest = 0;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-L") == 0)
            show_longest = 1;
        else if (strcmp(argv[i], "-h") == 0) {
            puts("usage: word_count [-L]");
            return 0;
        } else {
            fprintf(stderr, "unknown option %s\n", argv[i]);
            lines = -1;
            return 2;
        }
    }
    while ((c = getchar()) != EOF) {
        chars++;
        if (c == '\n') {
            lines++;
            if (column > longest)
                longest = column;
            column = 0;
        } else if (c == '\t')
            column = (column / 8 + 1) * 8;
        else if (c == '\f') {
            puts("form feed");
            column = 0;
            lines++;
        } else
            column++;
        if (isspace(c))
            in_word = 0;
        else if (!in_word) {
            in_word = 1;
            words++;
        }
    }
    if (ferror(stdin)) {
        perror("stdin");
        return 1;
    }
    if (column) {
        puts("last line has no end");
        lines++;
    }
    printf("%ld %ld %ld\n", lines, words, chars);
    if (show_longest)
        printf("longest %ld\n", longest);
    return 0;
}
