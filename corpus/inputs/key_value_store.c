/* Exercises a small command language on stdin: set, get, sum, quit; several commands and errors stay unused. */
#include <stdio.h>
#include <string.h>

#define SLOTS 4

static struct { char key[12]; int value; } slot[SLOTS];
static int used, errors;

static int find(const char *key)
{
    int i;
    for (i = 0; i < used; i++)
        if (!strcmp(slot[i].key, key))
            return i;
    return -1;
}

static void set(const char *key, int value)
{
    int i = find(key);
    if (i < 0) {
        if (used == SLOTS) {
            puts("no slot is free");
            errors++;
            return;
        }
        i = used++;
        strcpy(slot[i].key, key);
    }
    slot[i].value = value;
}

static void forget(const char *key)
{
    int i = find(key);
    if (i < 0) {
        printf("%s is not set\n", key);
        errors++;
        return;
    }
    used--;
    slot[i] = slot[used];
    puts("forgotten");
}

int main(void)
{
    char line[100], command[12], key[12];
    int value, n;

    while (fgets(line, sizeof line, stdin)) {
        n = sscanf(line, "%11s %11s %d", command, key, &value);
        if (n < 1) continue;
        if (!strcmp(command, "quit")) { puts("bye"); break; }
        if (n == 3 && !strcmp(command, "set"))
            set(key, value);
        else if (n == 2 && !strcmp(command, "get")) {
            int i = find(key);
            if (i >= 0)
                printf("%s = %d\n", key, slot[i].value);
            else {
                printf("no %s\n", key);
                errors++;
            }
        } else if (n == 2 && !strcmp(command, "forget"))
            forget(key);
        else if (!strcmp(command, "sum")) {
            int s = 0;
            for (int i = 0; i < used; i++) s += slot[i].value;
            printf("sum %d\n", s);
        } else {
            printf("what is %s?\n", command);
            errors++;
            if (errors > 5) { puts("too many errors"); return 5; }
        }
    }
    printf("%d used, %d errors\n", used, errors);
    return errors;
}
