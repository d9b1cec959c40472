int total;
void f(int a) {
  if (0)
    total += 0;
  "";
}
int main(void) {
  f(0);
}
