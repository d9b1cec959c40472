// expects: profiled
// Prints what a terminal, a page and a shell act on, and has them in its text: $(id) `id`.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

static const char *text = "\033]0;title\007\033[2J<script>alert(1)</script>&amp;|`id`$(id)\r\b";

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 3)
        puts("<b>]]></b>");
    puts(text);
    return 0;
}
