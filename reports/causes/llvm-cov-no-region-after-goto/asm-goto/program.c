int a;
int main(void) {
  __asm__ goto("jmp %l0" : : : : l);
  a++;
l:;
}
