int main(void) {
    for (int a = 0; a < 2; a++)
        if (a &&
            0)
            ;
}
