int v;
void f(int n) {
    for (;;) {
        if (n-- < 0)
            break;
        continue;
        v++;
    }
}
int main(void) {
    f(2);
}
