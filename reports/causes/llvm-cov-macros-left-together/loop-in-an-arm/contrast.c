#define FIRST_FREE(slots) ((slots)[0] ? 1 : 0)
int f(int *slots, int a) {
  int i, b;
  if (0)
    for (i = FIRST_FREE(slots); i < 4; i++)
            b += 0;
  return 0;
}
int main(void) {
  f(0, 0);
}
