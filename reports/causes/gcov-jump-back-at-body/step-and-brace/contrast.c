int main(void) {
    int a = 0;
    for (;;
         a = 1 + 1) {
        int b = a;
        if (b >= 2)
            break;
    }
}
