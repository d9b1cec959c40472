#define IS(c, what) ((c) == (what))
#define M(c) IS((c), '(')
int main(void) {
    if (M(
            0) && 0)
        ;
}
