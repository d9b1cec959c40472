_Atomic _Bool a;
int main(void) {
    int b = 0;
    a |= b > 0;
}
