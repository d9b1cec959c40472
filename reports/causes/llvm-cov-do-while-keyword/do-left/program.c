int main(void) {
  do
    break;
  while (0);
}
