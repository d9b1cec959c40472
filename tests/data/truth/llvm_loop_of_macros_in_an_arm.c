#define FIRST(h) ((h) + 1)
#define EACH(p, h) for (p = FIRST(h); p < 4; p++)

int main(void)
{
    int i, sum = 0;
    if (sum)
        EACH(i, sum)
            sum++;
    return sum;
}
