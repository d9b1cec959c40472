int a;
int main(void) {
  if (a)
    a++; return
      0;
}
