int g(int x) { return x; }
int f(int a) {
    return g(a) +
        g(a);
}
int main(void) {
    f(1);
}
