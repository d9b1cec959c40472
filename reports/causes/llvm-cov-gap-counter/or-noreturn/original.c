void exit(int) __attribute__((noreturn));
int v;
void f(int n) {
    n || (exit(1), 0);
    v++;
}
int main(void) {
    f(1);
}
