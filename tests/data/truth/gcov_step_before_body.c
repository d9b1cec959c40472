static int sum(int n)
{
    int s = 0;
    for (int i = 0;
         i < n;
         i++) s += i;
    return s;
}
static int odd(int n)
{
    int c = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i;
             j++) { if ((i ^ j) & 1) continue; c++; }
    return c;
}
static int copy(const char *from)
{
    int h = 0;
    for (; *from;
         from++) {
        if (*from == 'b')
            continue;
        h++;
    }
    return h;
}
int main(void)
{
    return sum(4) + odd(4) + copy("abcb") > 99;
}
