int main(void) { int a;
    return 1
        ? 0
        : a;
}
