int f(void) __attribute__((noreturn));
int v;
int main(void) {
    v = sizeof(f());
    v++;
}
