#define ELSE_IF(c) else if (c)
int v;
void f(int n) {
    if (n > 3)
        v++;
    ELSE_IF(n > 2)
        v--;
}
int main(void) {
    f(1);
    f(3);
    f(4);
}
