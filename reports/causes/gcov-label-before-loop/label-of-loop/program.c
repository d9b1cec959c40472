#include <string.h>
int main(void) {
  int a = 0;
  char *b = "abba!";
  char *c;
  if (a)
    if (0)
      ;
l:
  c = memchr(b, 'b', strlen(b));
  if (!c)
    return 0;
  b = c + 1;
  goto l;
}
