int a;
int main(void) {
  __asm__ goto("" : : : : l);
  a++;
l:;
}
