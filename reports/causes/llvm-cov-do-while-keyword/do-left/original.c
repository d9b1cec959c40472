int a;
int main(void) {
  do
    break;
  while (0);
  a++;
}
