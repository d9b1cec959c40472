#include <stdlib.h>

static int calls;

static void stop_at(int limit) {
  if (calls > limit)
    exit(0);
}

static int next(int n) {
  calls++;
  stop_at(1);
  /* Reached once. */
  if (n > 2)
    return n;
  return next(n + 1);
}

int main(void) {
  return next(1);
}
