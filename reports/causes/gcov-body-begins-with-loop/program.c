char a[] = "12345";
void f(char *b) {
    for (;;)
        switch (*b++) {
        case 0:
            goto l;
        }
l:
    ;
}
int main(void) {
    f(a);
}
