void exit(int) __attribute__((noreturn));
int v;
void f(int n) {
    if (n < 0)
        return n ? (void)0 : exit(1);
    v++;
}
int main(void) {
    f(1);
    f(-1);
}
