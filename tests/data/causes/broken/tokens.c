/* A tokenizer whose macros and statements are broken over lines by hand. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define PEEK(s) (*(s)->at)
#define NEXT(s) \
  ((s)->at++,   \
   PEEK(s))
#define CHECK(condition, text) \
  do {                         \
    if (!(condition))          \
      fail(text);              \
  } while (0)

struct source {
  const char *at;
  int line;
};

static int failures;

static void
fail(const char *text)
{
  failures++;
  puts(text);
}

static long
number(struct source *source)
{
  long value = 0;
  while (isdigit((unsigned char)
                 PEEK(source))
         && value
              < 100000) {
    value =
      value * 10
      + (PEEK(source)
         - '0');
    NEXT(source);
  }
  return value;
}

static int
word(struct source *source)
{
  int length =
    0;
  for (; isalpha((unsigned char)PEEK(source))
         || PEEK(source)
              == '_'
         || (length > 0
             && isdigit((unsigned char)
                        PEEK(source)));
       length++)
    NEXT(source);
  return length;
}

static int
is_space(int c)
{
  return c == ' '
      || c == '\t'
      || c == '\n';
}

static int
token(struct source *source)
{
again:
  while (is_space(
           PEEK(source)))
    if (PEEK(source) == '\n')
      source->line++,
        NEXT(source);
    else
      NEXT(source);
  switch (PEEK(source)) {
  case '\0':
    return 0;
  case '#':
    while (PEEK(source) &&
           PEEK(source) != '\n')
      NEXT(source);
    goto again;
  case '0' ... '9':
    printf("number %ld\n",
           number(
             source));
    return 1;
  case '+': case '-':
  case '*':
    printf("operator %c\n",
           PEEK(source)),
      NEXT(source);
    return 2;
  default:
    if (!isalpha((unsigned char)
                 PEEK(source))) {
      CHECK(
        PEEK(source) == '?',
        "unknown");
      NEXT(source);
      return isspace(
        (unsigned char)PEEK(source))
        ? 4
        : 5;
    }
  }
  int length = word(source);
  CHECK(length
          < 6,
        "too long");
  return
    3;
}

static int
compare(const void *a, const void *b)
{
  int x = *(const int *)a,
      y = *(const int *)b;
  return x < y ? -1
               : x > y;
}

int
main(void)
{
  struct source source = { "one + 22 * three4 # end\n"
                           " ? $ extremely\t- 9\n",
                           1 };
  int kinds[32], count = 0, kind;
  while ((kind = token(
            &source))
         != 0)
    if (count
        < 32)
      kinds[count++] =
        kind;
  qsort(kinds, count,
        sizeof *kinds,
        compare);
  for (int i = 0; i < count; i++)
    printf(i + 1 < count
             ? "%d "
             : "%d\n",
           kinds[i]);
  printf("%d %d\n", source.line,
         failures);
  return failures
           == 0;
}
