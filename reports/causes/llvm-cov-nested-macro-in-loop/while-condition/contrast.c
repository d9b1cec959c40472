#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')
int f(char **a) {
  while (IS_DIGIT(**a))
    ++*a;
  return 0;
}
int main(void) {
  char *a = "123,45";
  int b = f(&a);
}
