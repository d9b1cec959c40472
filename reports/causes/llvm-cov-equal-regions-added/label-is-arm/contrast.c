int main(void) {
  if (0)
  l:;
}
