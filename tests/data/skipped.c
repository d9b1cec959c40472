/* Text that llvm-cov skips: comments, blank lines, what the preprocessor drops, system macros. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#define TWICE(x) ((x) + (x))

static int pick(int n)
{

    /* A whole line. */
    /* Before. */ int kept = n; /* Behind. */
#if 0
    kept = 0;
#endif
    /* Over two
       lines. */ kept += TWICE(n);
#ifdef NO_SUCH_MACRO
    kept = 1;
#else
    kept += 1;
#endif

    errno = 0;
    if (n > 1) /* and then */
        errno = n;
    else // or
        kept--;
    return kept > EXIT_SUCCESS ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(void)
{
    int sum = 0;
    for (int n = 0; n < 3; n++) { /* thrice */
        sum += pick(n);

        if (WIFEXITED(n) && isalpha('a')) sum++; else /* one */ sum--;
        putc('a', stdout); if (n > 5) { sum = 0; }
        WEXITSTATUS(n) ? sum++ : 0;
    }
    while (sum > 100)
    /* in front of a block */ { sum--; }
    return sum == 100;
}
