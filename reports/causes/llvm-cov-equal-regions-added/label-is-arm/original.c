int v;
void f(int n) {
    if (n > 3)
        goto l;
    if (n)
    l:
        v++;
}
int main(void) {
    f(1);
    f(4);
}
