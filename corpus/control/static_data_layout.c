/* Control: addresses of statics and of string literals decide branches; some of them are used only in dead code. */
#include <stdint.h>
#include <stdio.h>

static int live_counter;

static int remember(int n)
{
    static int calls;
    if (n > 100) {
        static int large_calls = 7;
        large_calls++;
        printf("large call %d\n", large_calls);
        return large_calls;
    }
    calls++;
    return (int)((uintptr_t)&calls >> 2 & 15);
}

static int text_bits(int n)
{
    const char *s = "tempting text";
    if (n == 55) {
        s = "a text that only dead code refers to";
        puts(s);
        goto end;
    }
    live_counter += n;
end:
    return (int)((uintptr_t)s & 15);
}

int main(void)
{
    int a = remember(1), b = text_bits(2);
    for (int i = 0; i < a; i++)
        live_counter++;
    if (b & 4)
        puts("bit set");
    else
        puts("bit clear");
    if (&live_counter == NULL) {
        puts("no address");
        return 1;
    }
    printf("%d %d %d\n", a, b, live_counter);
    return 0;
}
