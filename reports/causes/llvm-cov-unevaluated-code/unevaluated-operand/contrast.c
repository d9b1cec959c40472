int f(void) __attribute__((noreturn));
int a;
int main(void) {
  a = 0;
  a++;
}
