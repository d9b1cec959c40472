#include <setjmp.h>
static jmp_buf back;
static int returned;
static _Noreturn void leave(void) {
  longjmp(back, 1);
}
int main(void) {
  if (setjmp(back) == 0) {
    leave();
    returned = 1;
  }
  return returned;
}
