int main(void) {
  void *a[] = {0, 0, &&l};
  goto m;
l:
  return 0;
m:;
}
