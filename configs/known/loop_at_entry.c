static int wait(int ready, int tries)
{
    do {
        if (ready)
            return 0;
    } while (tries-- > 0);
    return 1;
}

int main(void)
{
    return wait(1, 1);
}
