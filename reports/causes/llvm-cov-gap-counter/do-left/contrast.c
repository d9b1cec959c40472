int a;
int main(void) {
  do
    ;
  while (0);
  a;
}
