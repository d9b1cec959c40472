int a;
int main(void) {
  a = _Generic(0, long: 0, default: 0);
  a++;
}
