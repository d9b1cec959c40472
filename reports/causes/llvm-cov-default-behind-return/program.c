void f(void) {
    switch (5) {
    case 5:
        if (0)
            __builtin_abort();
        return;
    default:
    }
}
int main(void) {
    f();
}
