__attribute__((always_inline)) static inline int f(int a) {
    return a;
}
int main(void) {
    int n = 3;
    while (f(n))
        n--;
}
