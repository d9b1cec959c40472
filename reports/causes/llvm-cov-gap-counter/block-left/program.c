int a;
int main(void) {
  {
    if (0)
      return 0;
    a++;
  }
  a++;
}
