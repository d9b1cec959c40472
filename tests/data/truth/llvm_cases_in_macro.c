#define OPERATIONS(X) X(0, a + b) X(1, a - b) X(2, a * b)

static int apply(int operation, int a, int b)
{
    switch (operation) {
#define X(number, result) case number: return result;
        OPERATIONS(X)
#undef X
    default:
        return -1;
    }
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 7; i++)
        sum += apply(i > 2 ? i / 3 : i, i, 1);
    return sum == 0;
}
