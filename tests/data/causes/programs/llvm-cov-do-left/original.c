int v;
void f(int n) {
    do {
        if (n)
            break;
        v++;
    } while (0);
    v++;
}
int main(void) {
    f(0);
    f(1);
}
