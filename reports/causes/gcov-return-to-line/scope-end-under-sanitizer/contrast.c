void done(int *a) {}
void f(void) {
  __attribute__((cleanup(done))) int b;
  
}
int main(void) {
  f();
}
