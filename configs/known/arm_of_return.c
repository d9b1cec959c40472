#include <stdlib.h>
static int f(int c) {
  switch (c) {
  case 3:
    return c > 4 ? (exit(0), 1) : 2;
    c++;
  case 4:
    c++;
  }
  return c;
}
int main(void) {
  return f(3) - 2;
}
