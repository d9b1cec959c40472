int main(void) {
  int a = 3;
  switch (a) {
  case 3:
    do
      a--;
    while (a);
  }
}
