int a;
void f(int b) {
  if (b)
    ;
  else if (0)
        a--;
}
int main(void) {
  f(0);
  f(1);
}
