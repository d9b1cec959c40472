int k, h = 1, x, a[2];
#define M(p) (p)
int main(void) {
    for (k = 0; k < 4; k++)
        x = M(a[k < 2 && h] || k > h);
    return 0;
}
