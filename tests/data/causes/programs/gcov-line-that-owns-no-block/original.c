_Atomic _Bool b;
int main(void) {
    int n = 3;
    b
        |= n
        > 2;
}
