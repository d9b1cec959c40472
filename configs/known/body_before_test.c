static int first_above(const int *values, int count, int limit)
{
    int at = 0;
    while (at < count && values[at] > limit) {
        at++;
        break;
    }
    return at;
}

int main(void)
{
    const int values[] = { 3, 4 };
    return first_above(values, 2, 9);
}
