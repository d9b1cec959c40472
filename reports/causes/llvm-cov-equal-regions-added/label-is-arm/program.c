int main(void) {
  if (1)
  l:;
}
