void done(int *a) {}
void f(void) {
  __attribute__((cleanup(done))) int b;
  return;
}
int main(void) {
  f();
}
