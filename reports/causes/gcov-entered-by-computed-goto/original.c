/* A little machine whose instructions are labels. */
#include <stdio.h>

static int run(const unsigned char *code)
{
    static void *const labels[] = { &&push, &&add, &&print, &&end };
    int stack[8], top = 0, printed = 0;
    goto *labels[*code++];
push:
    stack[top++] = *code++;
    goto *labels[*code++];
add:
    top--;
    stack[top - 1] += stack[top];
    goto *labels[*code++];
print:
    printf("%d\n", stack[top - 1]);
    printed++;
    goto *labels[*code++];
end:
    return printed;
}

int main(void)
{
    static const unsigned char code[] = { 0, 3, 0, 4, 1, 2, 0, 5, 1, 2, 3 };
    return run(code) - 2;
}
