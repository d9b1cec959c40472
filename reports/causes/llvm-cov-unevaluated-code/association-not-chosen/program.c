int a;
int main(void) {
  a = _Generic(0, long: __builtin_abort(), default: 0);
  a++;
}
