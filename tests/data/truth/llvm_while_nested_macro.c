#define BELOW(x, y) ((x) < (y))
#define GOES_ON(x) BELOW(x, 3)

int main(void)
{
    int i = 0;
    while (GOES_ON(i))
        i++;
    return i != 3;
}
