#include <stdio.h>
static const char *kind(int c)
{
  const char *k = "other";
  switch (c)
    {
    case 'a': case 'e':
      k = "vowel";
      break;
    case '0':
      k = "digit";
      break;
    case ' ':
      {}
    }
  return k;
}
int main(void)
{
  printf("%s %s ", kind('a'), kind('0'));
  printf("%s %s\n", kind('e'), kind('x'));
  return 0;
}
