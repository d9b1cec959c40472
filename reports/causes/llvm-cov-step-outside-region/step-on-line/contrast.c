int main(void) {
    for (int a; ; 0)
        return 0;
}
