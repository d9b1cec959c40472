#include <stdio.h>
int f(int a) {
    switch (a)
    case 0:
  return 0;
  return 0;
}
int main(void) {
  printf("%d\n", f(1) + f(0));
}
