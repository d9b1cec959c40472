static int calls;

static int is_open(void)
{
    calls++;
    return 0;
}

int main(void)
{
    for (int i = 0; i < 4; i++)
        if (i > 2 &&
            is_open())
            return 1;
    return calls != 1;
}
