#include <stdio.h>
#define HAVE(g) ((g)->have ? (g)->have : 5)
struct s { int have; };
typedef unsigned char byte;
static int first(const byte *bytes) { return bytes[0]; }
int main(void)
{
    struct s s = { 1 };
    if (HAVE(&s) != ' ')
        printf("x\n");
    while (HAVE(&s) < 3)
        s.have++;
    return first((const byte[]){ 0, 1 });
}
