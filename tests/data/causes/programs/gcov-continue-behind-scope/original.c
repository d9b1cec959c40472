int g;
int main(void) {
    for (int i = 1; i < 2; i++) {
        int k = 1;
        g++;
        if (i > 100) {
            g++;
            continue;
        }
        g++;
        &k;
        if (1) {
            continue;
        }
    }
}
