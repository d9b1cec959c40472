void f(int a) {
  
}
int main(void) {
  f(2);
}
