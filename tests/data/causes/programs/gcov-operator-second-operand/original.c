int g(int x) { return x; }
void f(int n) {
    while (n-- &&
        g(n))
        ;
}
int main(void) {
    f(3);
}
