int v;
void f(int n) {
    v += ({
        if (n)
            return;
        1;
    });
    v++;
}
int main(void) {
    f(0);
    f(1);
}
