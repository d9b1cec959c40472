/* The label is reached three times; the line shows the six jumps back of the loop. */
static int steps(int kind)
{
    int n = 0;
    switch (kind) {
    case 1:
        return 0;
    case 2:
        do {
            if (n > 8)
                return n;
            n += 3;
        } while (n < 7);
    }
    return n;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += steps(1) + steps(2);
    return sum == 0;
}
