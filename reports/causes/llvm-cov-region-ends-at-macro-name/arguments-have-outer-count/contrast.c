#define M(x) n += (x)
int n;
void f(int x) {}
int main(void) {
    f(0);
    if (0)
        M(0 + 0);
}
