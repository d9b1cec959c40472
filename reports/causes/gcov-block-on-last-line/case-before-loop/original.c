void f(int n) {
    switch (n) {
    case 3:
        do
            n--;
        while (n > 0);
    }
}
int main(void) {
    f(3);
}
