int a;
void f(int b) {
  if (0)
    return;
  if (b) return;;
  a++;
}
int main(void) {
  f(0);
}
