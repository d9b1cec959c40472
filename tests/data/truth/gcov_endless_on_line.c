/* `while (1)` and its body on one line: control comes to the body from the head only. Values of `return` and `switch` from which a
   call does not return: what follows it on other lines did not run. */
#include <setjmp.h>
static jmp_buf back;
static int n;
static int leave(int to) {
  if (to)
    longjmp(back, to);
  return 1;
}
static int sum(int to) {
  return leave(0)
         + leave(to)
         + leave(0);
}
static int select(int to) {
  switch (leave(to)) {
  case 0:
    return 0;
  case 2:
    return 2;
  }
  return 3;
}
int main(void) {
  n = 0;
  while (1) { if (n++ > 5) break; }
  volatile int round = 0;
  switch (setjmp(back)) {
  case 0:
    n += sum(0);
    n += select(0);
    n += sum(1);
    break;
  case 1:
    n += select(2);
    break;
  }
  return n != 13;
}
