#define FIRST_FREE(slots) ((slots)[0] ? 1 : 0)
#define M(i, slots) for (i = FIRST_FREE(slots); i < 4; i++)
int f(int *slots, int a) {
  int i, b;
  if (0)
    M(i, slots)
            b += 0;
  return 0;
}
int main(void) {
  f(0, 0);
}
