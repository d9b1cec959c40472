#define RETURN_IF_B if (b) return;
int v;
void f(int a, int b) {
    do {
        if (a)
            return;
        RETURN_IF_B;

        v++;
    } while (0);
}
int main(void) {
    f(0, 0);
    f(0, 1);
    f(1, 0);
}
