/* Control: copies structs with uninitialised members; the values never influence the output. */
#include <stdio.h>
#include <string.h>

struct record {
    char name[24];
    int used;
    int spare[6];
};

static struct record make(const char *name)
{
    struct record r;
    if (strlen(name) >= sizeof r.name) {
        puts("name is too long");
        name = "?";
        r.used = 0;
        return r;
    }
    strcpy(r.name, name);
    r.used = 1;
    return r;
}

static int store(struct record *to, const struct record *from, int n)
{
    unsigned char shadow[sizeof *from];
    if (n < 0) {
        puts("bad index");
        goto none;
    }
    memcpy(shadow, from, sizeof shadow);
    memcpy(&to[n], shadow, sizeof shadow);
    return 1;
none:
    to[0].used = 0;
    return 0;
}

int main(void)
{
    struct record all[3];
    const char *names[] = { "one", "two", "three" };
    int n = 0;
    for (int i = 0; i < 3; i++) {
        struct record r = make(names[i]);
        n += store(all, &r, i);
    }
    if (n != 3) {
        printf("only %d\n", n);
        return 1;
    }
    printf("%s %s %s\n", all[0].name, all[1].name, all[2].name);
    return 0;
}
