int v;
void f(int n) {
    for (int i = 0;
         i < n;
         ({ if (i++ == 1) return; }))
        v++;
}
int main(void) {
    f(3);
}
