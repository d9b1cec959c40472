int v;
void f(int n) {
    {
        if (n)
            return;
        v++;
    }
    v++;
}
int main(void) {
    f(0);
}
