int f(int a) {
    int x = a
        ? 1
        : 2;
    return x;
}
int main(void) {
    f(1);
    f(0);
}
