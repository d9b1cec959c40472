/* A ring buffer with statement expressions, labels and nested calls that are broken over lines by hand. */
#include <setjmp.h>
#include <stdio.h>

#define SIZE 4
#define MAX(a, b)     \
  ({                  \
    __typeof__(a) _a  \
      = (a);          \
    __typeof__(b) _b  \
      = (b);          \
    _a > _b ? _a : _b;\
  })

static int ring[SIZE], first, used, lost;
static jmp_buf full;

static int
mask(int at)
{
  return at
         & (SIZE - 1);
}

static void
put(int value)
{
  if (used
      == SIZE)
    longjmp(full,
            value ? value
                  : -1);
  ring[mask(first
            + used++)] =
    value;
}

static int
get(void)
{
  int value =
    ring[first];
  first = mask(
    first + 1);
  used--;
  return
    value;
}

static int
fold(int (*f)(int, int),
     int start)
{
  while (used)
    start = f(start,
              get());
  return start;
}

static int
add(int a, int b)
{
  return a +
    b;
}

static int
most(int a, int b)
{
  return MAX(a,
             b);
}

static int
classify(int n)
{
  if (n < 0)
    goto negative;
  else if (n == 0
           || n == 1) goto
      small;
  for (int i = 2;;) {
    if (i * i
        > n)
      return 'p';
    if (n % i
        == 0) break;
    i +=
      1;
  }
  return
    'c';
negative:
  n =
    -n;
small:
  return n
           ? 's'
           : 'z';
}

int
main(void)
{
  for (int i = 0; i < 3; i++)
    put(MAX(i,
            1)
        * 5);
  printf("%d\n",
         fold(add,
              0)
           + fold(most, 0));
  int code = setjmp(
    full);
  if (code)
    lost++;
  if (lost <
      2)
    for (int i = 0;
         i < 6; i++)
      put(i * i
          - 3);
  printf("%d %d\n", code,
         fold(most,
              -100));
  for (int n = -3,
           m = 0;
       n < 12;
       n++, m +=
              n)
    putchar(classify(n)),
      m & 1
        ? putchar('.')
        : 0;
  putchar('\n');
  int a = 3, b = 4,
      *p = a < b
             ? &a
             : &b;
  *p +=
    get() > 2
      && a
      || !b;
  return printf("%d %d\n",
                a,
                b)
         < 0;
}
