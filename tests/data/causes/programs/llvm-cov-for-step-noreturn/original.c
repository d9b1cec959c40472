void exit(int) __attribute__((noreturn));
int v;
void f(int n) {
    for (int i = 0; i < 1; i++, n ? (void)0 : exit(1))
        v++;
    v++;
}
int main(void) {
    f(1);
}
