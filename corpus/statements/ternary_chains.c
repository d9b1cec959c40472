/* Exercises conditional expressions: chains, nesting, GNU short form, calls in arms that never run. */
#include <stdio.h>
#include <stdlib.h>

static int panic(const char *why)
{
  puts(why);
  exit(9);
}

static int cmp(int a, int b)
{
  return a < b ? -1 : a > b ? 1 : 0;
}

static const char *size_name(int n)
{
  return n < 0     ? "negative"
       : n == 0    ? "nothing"
       : n < 10    ? "few"
       : n < 100   ? "dozens"
       : n < 1000  ? "hundreds"
       :             "many";
}

int main(void)
{
  int i, s = 0;
  int zero = 0;

  for (i = 0; i < 6; i++)
    s += cmp(i, 3) > 0 ? i * 10 : i;
  printf("%d\n", s);
  printf("%s %s %s\n", size_name(0), size_name(s), size_name(s * 100));

  s = s > 0
      ? s % 2
        ? s + 1
        : s + 2
      : panic("not positive");
  i = zero ?: 44;
  s = i == 44 ? s
              : panic("not forty-four");
  i > 100 ? puts("large i") : (void) 0, s++;
  s < 0 ? exit(3) : (void) s;
  if (s ? i : zero)
    puts("both");
  else {
    puts("neither");
    s = panic("neither");
  }
  *(s > 10 ? &i : &zero) = 5;
  printf("%d %d %d\n", s, i, zero);
  return i == 5 ? 0 : i > 5 ? 1 : 2;
}
