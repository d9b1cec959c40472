__attribute__((destructor)) void f(void) {
  "";
}
int main(void) {}
