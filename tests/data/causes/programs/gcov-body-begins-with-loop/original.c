void f(int n) {
    do
        n--;
    while (n > 0);
}
int main(void) {
    f(3);
}
