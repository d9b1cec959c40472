#include <stdio.h>
static int find(const char *s, int c)
{
  int i;
  for (i = 0; s[i]; i++)
    if (s[i] == c)
      goto out;
  i = -1;
  for (; i > -3; i--)
    if (c == 'z' && i == -2)
      goto end;
out:
  i += 100;
end:
  return i;
}
static int last(int n)
{
  while (n > 0)
    if (n-- == 4)
      goto done;
done:
  return n;
}
int main(void)
{
  printf("%d %d %d %d\n", find("abc", 'c'), find("abc", 'x'),
         find("", 'z'), last(2) + last(6) + last(9));
  return 0;
}
