// expects: died by a signal
// Overflows its stack.

static int deeper(int depth)
{
    volatile char room[1024];
    room[0] = (char)depth;
    return depth > 0 ? deeper(depth + 1) + room[0] : 0;
}

int main(void)
{
    return deeper(1);
}
