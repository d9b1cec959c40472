typedef int pair __attribute__((vector_size(8)));

static int sizes(int n)
{
    int block[2][n];
    if (sizeof(block) != sizeof(int) * 2 * 3)
        return 1;
    return 0;
}

int main(void)
{
    if (((int) (long long) (pair){ 2, 2 }) != 2)
        return 2;
    if (!(14 + ((int[2]){ 4, 5 })[0]))
        return 3;
    if (L"a" "b"[1] != L'b')
        return 4;
    return sizes(3);
}
