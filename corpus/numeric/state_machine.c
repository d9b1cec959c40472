/* Exercises a table-free state machine that counts comments and strings in a text; error states are dead. */
#include <stdio.h>

enum state { CODE, SLASH, LINE_COMMENT, BLOCK_COMMENT, STAR, STRING, ESCAPE, BROKEN };

struct counts { int comments, strings, code; };

static enum state next(enum state s, char c, struct counts *n)
{
    switch (s) {
    case CODE:
        if (c == '/') return SLASH;
        if (c == '"') { n->strings++; return STRING; }
        if (c == '\0') {
            puts("null character");
            return BROKEN;
        }
        n->code++;
        return CODE;
    case SLASH:
        if (c == '*') {
            n->comments++;
            return BLOCK_COMMENT;
        } else if (c == '/') {
            n->comments++;
            return LINE_COMMENT;
        }
        n->code += 2;
        return CODE;
    case LINE_COMMENT:
        return c == '\n' ? CODE : LINE_COMMENT;
    case BLOCK_COMMENT:
        return c == '*' ? STAR : BLOCK_COMMENT;
    case STAR:
        if (c == '/') return CODE;
        if (c == '*') return STAR;
        return BLOCK_COMMENT;
    case STRING:
        if (c == '\n') {
            puts("string is not closed");
            n->strings--;
            return BROKEN;
        }
        if (c == '\\') return ESCAPE;
        return c == '"' ? CODE : STRING;
    case ESCAPE:
        return STRING;
    case BROKEN:
        puts("still broken");
        break;
    }
    return BROKEN;
}

int main(void)
{
    const char *text = "a/b; /* one * two */ \"s\\\"t\" // rest\nx = 1;\n";
    struct counts n = { 0 };
    enum state s = CODE;

    for (const char *p = text; *p; p++) {
        s = next(s, *p, &n);
        if (s == BROKEN) {
            printf("broken at %d\n", (int)(p - text));
            n.code = -1;
            break;
        }
    }
    if (s != CODE) { puts("text ends too early"); return 1; }
    printf("%d comments, %d strings, %d code\n", n.comments, n.strings, n.code);
    return 0;
}
