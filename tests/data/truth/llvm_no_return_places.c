#include <setjmp.h>
#include <stdio.h>
static jmp_buf back;
static int n;
static int size(int x) {
  if (x > 3)
    longjmp(back, 1);
  return x;
}
static void first_of_for(int x) {
  int i;
  for (i = size(x);
       i < 2; i++)
    n++;
  n += 10;
}
static void value(int x) {
  ({ n++; size(x); });
  n += 20;
}
static void array(int x) {
  char a[size(x)];
  n += sizeof a;
}
static void chosen(int x) {
  __builtin_choose_expr(1, size(x), 0);
  n += 30;
}
static void leave(int *x) { size(*x); }
static void cleaned(int x) {
  {
    __attribute__((cleanup(leave))) int y = x;
    n += y;
  }
  n += 40;
}
static void run(void (*f)(int), int x) {
  if (!setjmp(back))
    f(x);
}
int main(void) {
  void (*all[])(int) = {first_of_for, value, array, chosen, cleaned};
  for (int i = 0; i < 5; i++) {
    run(all[i], 1);
    run(all[i], 9);
  }
  printf("%d\n", n);
  return 0;
}
