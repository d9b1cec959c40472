int a = 1, b = 1, c, d;
int main(void) {
  if (b && c)
    d++;
l:;
}
