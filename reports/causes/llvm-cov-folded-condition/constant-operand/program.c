int main(void) {
    if (1 &&
        0)
        ;
}
