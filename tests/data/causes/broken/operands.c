/* Operands on lines of their own: of a call whose argument they are, of a condition with a constant, and before a builtin. */
#include <stdio.h>
#include <string.h>

struct entry {
  const char *label;
  volatile int kind;
};

static signed char
shift(signed char value,
      int by)
{
  return by > 7
    ? 0
    : (signed char)(value >> by);
}

static int
differs(const struct entry *entry,
        const char *label)
{
  if (entry->label ==
      ((void *)0) ||
      strcmp(label,
             entry->label))
    return 1;
  return 0;
}

static int
mix(struct entry *entry,
    int by,
    int *known)
{
  int result =
    shift((signed char)entry->kind,
          (by
             || (shift(known[0],
                       1)
                   && known[1])));
  result += shift(
    (signed char)
      (by - by
       || shift((signed char)known[1],
                3)),
    shift((signed char)known[0],
          7));
  result += shift((signed char)
                    ((entry->kind != 0
                       || shift(1,
                                by)) + 3),
                  entry->kind
                    + 1);
  return result;
}

int
main(void)
{
  struct entry entry = { "one", 12 }, empty = { NULL, 1 };
  int known[] = { 9, 4 }, sum = 0;
  for (int by = 0; by < 5; by++)
    sum += mix(&entry, by, known);
  printf("%d %d\n", sum,
         differs(&empty, "one"));
  return 0;
}
