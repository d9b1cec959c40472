int main(void) { int a = 1;
    while (a && 1)
        a--;
}
