void exit(int) __attribute__((noreturn));
int v;
void f(int n) {
    while (n ? n-- > 1 : (exit(1), 0))
        v++;
    v++;
}
int main(void) {
    f(2);
}
