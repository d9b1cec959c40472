int v;
inline __attribute__((gnu_inline, always_inline)) int f(int n) {
    return n + 1;
}
int main(void) {
    v += f(1);
    v += f(2);
}
