#define ADD(x) n += (x)
int n;
int add(int x) { return n += x; }
void h(int k) {
    if (k > 5)
        ADD(1 +
            add(k));
    n++;
    while (k > 5)
        ADD(1 +
            add(k));
}
int main(void) {
    h(1);
    h(1);
}
