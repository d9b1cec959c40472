int v;
void f(int n) {
    switch (n) {
    case 0:
        v++;
        break;
    case 1:
        ;
    }
}
int main(void) {
    f(0);
}
