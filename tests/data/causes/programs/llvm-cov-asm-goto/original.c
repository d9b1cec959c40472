int v;
int main(void) {
    __asm__ goto("jmp %l0" : : : : l);
    v++;
l:
    v++;
}
