void f(int a) {
    int b[] = {&&l - &&m, 0};
    void *c = &&m + b[a];
    goto *c;
l:
    ;
m:
    ;
}
int main() {
    f(0);
    f(1);
}
