/* Exercises bit-fields: packing, wrapping of unsigned fields, flags tested in dead branches. */
#include <stdio.h>

struct header
{
    unsigned version : 3;
    unsigned urgent : 1;
    unsigned : 4;
    unsigned length : 12;
    signed int offset : 6;
};

struct flags { unsigned read : 1, write : 1, exec : 1; };

static unsigned checksum(struct header h)
{
    unsigned sum = h.version * 31u + h.length;

    if (h.urgent)
    {
        sum ^= 0xffu;
        h.urgent = 0;
        printf("urgent packet\n");
    }
    if (h.offset < 0)
        sum -= (unsigned)-h.offset;
    else if (h.offset > 30)
    {
        puts("far away");
        sum = 0;
    }
    return sum;
}

static const char *mode(struct flags f)
{
    if (f.read && f.write)
        return "rw";
    if (f.exec)
    {
        f.exec = 0;
        puts("executable");
        return "x";
    }
    return f.read ? "r" : "none";
}

int main(void)
{
    struct header h = { .version = 5, .length = 4090, .offset = -3 };
    struct flags f = { 1, 0, 0 };

    for (int i = 0; i < 10; i++)
    {
        h.length++;
        if (h.length == 0)
            h.version++;
    }
    printf("version %u length %u sum %u\n", (unsigned)h.version, (unsigned)h.length, checksum(h));
    printf("%s", mode(f));
    f.write = ~f.write;
    printf(" %s\n", mode(f));
    if (h.version != 6)
    {
        h.version = 0;
        puts("no wrap");
        return 1;
    }
    return 0;
}
