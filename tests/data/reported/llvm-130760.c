#define ID(exp) exp
int main(void) {
    int a = 1;
    int b = 1;
    if (ID(a == 1) && b == 1) {
        return 0;
    }
    return 1;
}
