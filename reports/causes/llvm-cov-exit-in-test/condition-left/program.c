int a;
void f(int b) {
  if (({ if (b) return; b; }))
    ;
  else
    a--;
}
int main(void) {
  f(0);
  f(1);
}
