int main(void) {
    int a = 2;
    switch (0) {
    case 0:
        do
            ;
        while (--a);
    }
}
