int v;
void f(int n) {
    for (int i = 0; i < n; i++)
        goto out;
out:
    v++;
}
int main(void) {
    f(0);
    f(1);
    f(1);
}
