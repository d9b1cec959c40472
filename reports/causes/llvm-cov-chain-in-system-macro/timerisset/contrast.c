#include <sys/time.h>
int f(int a, struct timeval *time) {
  return a && time;
}
int main(void) {
  struct timeval b = {0}, c = {1};
  int d = f(0, 0) + f(1, &b);
  f(1, &c);
}
