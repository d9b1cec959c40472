int g;
void f(int a, int b) {
    g++;
    if (a && b) {
        g++;
        int d;
        for (int i = 0; i < 1; i++) {
        }
    } else {
        g++;
    }
}
int main(void) {
    f(0, 1);
    f(1, 1);
}
