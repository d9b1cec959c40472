int v;
void f(int n) {
    if (({
            if (n)
                return;
            n;
        }))
        v++;
    else
        v--;
}
int main(void) {
    f(0);
    f(1);
}
