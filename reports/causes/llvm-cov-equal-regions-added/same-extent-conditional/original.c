static int __attribute__((noreturn)) stop(void) {
    __builtin_trap();
}
int v;
int f(int n) {
    if (n < 0)
        return n ? 0 : stop();
    v++;
    return 1;
}
int main(void) {
    f(1);
    f(-1);
}
