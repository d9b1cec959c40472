void f(int a, int b) {
    while (a > 0
           && b > 0)
        a--;
}
int main(void) {
    f(2, 1);
}
