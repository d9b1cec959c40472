int a;
void f(void) {
    for (int i = 0; i < 2; i++)
        while (({ break; 1; }))
            ;
    a++;
}
int main(void) {
    f();
}
