int a;
void f(int b) {
  if (({ if (0) return; b; }))
    ;
  else
    a--;
}
int main(void) {
  f(0);
  f(1);
}
