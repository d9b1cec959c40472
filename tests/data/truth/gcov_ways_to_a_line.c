// Control comes to a line past its first part: to an alternative, to what follows an operand, to what follows a jump.
static int n;

static int f(int x)
{
    n++;
    return x;
}

static int alternatives(int a, int b)
{
    if (a)
        n++; else n--;
    if (a) {
        f(1); } else if (b) { f(2); } else { f(3); }
    if (b)
        f(1); else if (a) f(2); else f(3);
    return a
        ? b ? 1 : 2 : 3;
}

static int operands(int a, int b, int c)
{
    int x = a
        && b ? 1 : 2;
    if ((f(a)
         && f(b)) || f(c))
        x++;
    return x;
}

static int jumps(int a)
{
    if (a == 2)
        return 7; f(1);
    for (int i = 0; i < 4; i++) { if (i & 1)
            continue; n++; }
    return a;
}

// Each line ran 8 times: a stands for 4 of the ways to the last operand.
static int missed(int a, int b, int c)
{
    if ((a &&
         b) || c)
        return 1;
    return 0;
}

int main(void)
{
    int t = 0;
    for (int i = 0; i < 8; i++) {
        t += alternatives(i & 1, i & 2);
        t += operands(i & 1, i >> 1 & 1, i >> 2);
        t += jumps(i);
        t += missed(i & 1, i >> 1 & 1, i >> 2);
    }
    return t > 1000;
}
