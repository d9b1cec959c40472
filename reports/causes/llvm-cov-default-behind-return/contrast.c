void f(void) {
    switch (5) {
    case 5:
        if (0)
            ;
        return;
    default:
    }
}
int main(void) {
    f();
}
