int v;
void f(int n) {
    for (int i = 0; i < 3; i++) {
        while (({ if (n < 2) break; n > 4; }))
            n--;
        v++;
    }
    v++;
}
int main(void) {
    f(1);
}
