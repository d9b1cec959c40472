int v;
static void done(int *p) {
    v += *p;
}
void f(int n) {
    __attribute__((cleanup(done))) int x = n;
    if (n > 1)
        return;
    v++;
}
int main(void) {
    f(1);
    f(2);
}
