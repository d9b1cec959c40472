#define CASE(n) case n: v++; break
int v;
void f(int n) {
    switch (n) {
        CASE(0);
        CASE(1);
    }
}
int main(void) {
    f(0);
    f(0);
    f(1);
    f(2);
}
