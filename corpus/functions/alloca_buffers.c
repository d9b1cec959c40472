/* Exercises alloca in a helper, in a loop, and in a branch that never runs. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int palindrome(const char *s)
{
  size_t n = strlen(s);
  char *clean;
  size_t used = 0;

  if (n > 4096)
  {
    char *message = alloca(32);
    strcpy(message, "too long");
    puts(message);
    return -1;
  }
  clean = alloca(n + 1);
  for (size_t i = 0; i < n; i++)
  {
    char c = s[i];
    if (c == ' ' || c == ',')
      continue;
    if (c >= 'A' && c <= 'Z')
      c = (char)(c - 'A' + 'a');
    clean[used++] = c;
  }
  clean[used] = 0;
  for (size_t i = 0; i < used / 2; i++)
    if (clean[i] != clean[used - 1 - i])
      return 0;
  return 1;
}

int main(void)
{
  const char *texts[] = { "A man, a plan, a canal, Panama", "no", "level" };
  int yes = 0;

  for (int i = 0; i < 3; i++)
  {
    int *slot = alloca(sizeof *slot);
    *slot = palindrome(texts[i]);
    if (*slot < 0)
    {
      printf("cannot check %d\n", i);
      return 1;
    }
    else if (*slot)
      yes++;
  }
  printf("%d palindromes\n", yes);
  if (yes == 0)
  {
    char *none = alloca(8);
    memset(none, '-', 7);
    none[7] = 0;
    puts(none);
  }
  return 0;
}
