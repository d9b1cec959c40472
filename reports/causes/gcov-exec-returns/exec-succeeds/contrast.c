#include <unistd.h>
int f(char *a) {
  execlp(a, a, (int *)0);
  return 0;
}
int main(void) {
  return f("") == 0 || f("true");
}
