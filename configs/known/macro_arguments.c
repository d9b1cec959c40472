#define ADD(x) n += (x)
int n;
int main(void) {
    n = 1;
    if (0)
        ADD(0 +
            0);
}
