void f(void) {
    switch (5) {
    case 5:
        if (0)
            __asm__("");      
        return;
    default:
    }
}
int main(void) {
    f();
}
