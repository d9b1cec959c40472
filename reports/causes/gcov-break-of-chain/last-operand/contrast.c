int a;
int main(void) {
    int b = 0;
    while (1) {
        if (b || a > 0) break;
        b += 1;
    }
}
