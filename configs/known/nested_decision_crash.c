#define IS_ODD(n) ((n) & 1)
int d;
int main(void) {
    int either = d || d;
    return IS_ODD(IS_ODD(d || d) || d || either);
}
