__attribute__((always_inline)) static inline int f(int a) {
    if (a)
        return 1;
    return 2;
}
int v;
int main(void) {
    v++;
    f(1);
    f(0);
}
