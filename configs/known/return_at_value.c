static int n;
int main(void) {
  if (n)
    n++; return
      n;
}
