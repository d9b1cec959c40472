char a[] = "12345";
void f(char *b) {
    
l:
    ;
}
int main(void) {
    f(a);
}
