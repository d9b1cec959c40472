int main(void) { int a = 1; int b = 1;
    while (b
           && a)
        b--;
}
