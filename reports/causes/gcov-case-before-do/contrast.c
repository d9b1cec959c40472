int main(void) {
    int a = 1;
    switch (0) {
    case 0:
        do
            ;
        while (--a);
    }
}
