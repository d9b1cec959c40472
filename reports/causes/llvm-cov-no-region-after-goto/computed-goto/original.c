int v;
void f(int n) {
    void *p = &&l;
    if (n)
        goto *p;
    v++;
l:
    v++;
}
int main(void) {
    f(0);
    f(1);
}
