#define ADD(x) n += (x)
int n;
int main(void) {
    0;
    if (0)
        ADD(0 + 0);
}
