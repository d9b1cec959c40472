/* Exercises X-macros: an enum, names, a switch and functions made from one list. */
#include <stdio.h>
#include <string.h>

#define COMMANDS(X) \
    X(load, 1)      \
    X(store, 2)     \
    X(jump, 5)      \
    X(halt, 0)

#define AS_ENUM(name, cost) CMD_##name,
enum command { COMMANDS(AS_ENUM) CMD_COUNT };

#define AS_HANDLER(name, cost)                          \
    static int do_##name(int acc)                       \
    {                                                   \
        if (acc > 5000) {                               \
            puts(#name " is too large");                \
            return 0;                                   \
        }                                               \
        return acc * 2 + cost;                          \
    }
COMMANDS(AS_HANDLER)

static const char *name_of(enum command c)
{
#define AS_CASE(name, cost) case CMD_##name: return #name;
    switch (c) {
        COMMANDS(AS_CASE)
        default: break;
    }
    puts("no such command");
    return "?";
}

static int run(enum command c, int acc)
{
    switch (c) {
#define AS_CALL(name, cost) case CMD_##name: acc = do_##name(acc); break;
        COMMANDS(AS_CALL)
    case CMD_COUNT:
        puts("not a command");
        acc = -1;
        break;
    }
    return acc;
}

static int find(const char *s)
{
#define AS_TEST(name, cost) if (strcmp(s, #name) == 0) return CMD_##name;
    COMMANDS(AS_TEST)
    printf("unknown %s\n", s);
    return -1;
}

int main(void)
{
    int acc = 1;
    acc = run(CMD_load, acc);
    acc = run(CMD_store, acc);
    int c = find("halt");
    if (c < 0) {
        acc = 0;
        return 1;
    }
    acc = run((enum command)c, acc);
    printf("%s %d\n", name_of(CMD_store), acc);
    return 0;
}
