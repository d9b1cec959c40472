int v;
void f(int n) {
    int a[n
          + 1];
    a[0] = n;
    v += a[0];
}
int main(void) {
    f(1);
    f(2);
}
