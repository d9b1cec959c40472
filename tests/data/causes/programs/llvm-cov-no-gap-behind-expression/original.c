int v;
void f(int n) {
    v += n ? ({ return; 1; }) : 2;
    v++;
}
int main(void) {
    f(0);
    f(1);
}
