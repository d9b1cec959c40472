static int yes, no;
#define COUNT(test)     \
    if (test) {         \
        yes++;          \
    } else no++;
int main(void)
{
    for (int i = 0; i < 3; i++)
        COUNT(i < 5)
    for (int i = 0; i < 2; i++)
        COUNT(i > 5)
    return yes != 3 || no != 2;
}
