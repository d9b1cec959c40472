int main(void) {
  void *p;
  goto end;
never:
  return 1;
end:
  p = &&never;
  return p == 0;
}
