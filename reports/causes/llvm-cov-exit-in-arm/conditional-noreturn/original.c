void exit(int) __attribute__((noreturn));
int v;
void f(int n) {
    n ? (void)0 : exit(1);
    v++;
}
int main(void) {
    f(1);
}
