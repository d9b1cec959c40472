#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')
#define M(c) IS_DIGIT(c)
int f(char **a) {
  while (M(**a))
    ++*a;
  return 0;
}
int main(void) {
  char *a = "123,45";
  int b = f(&a);
}
