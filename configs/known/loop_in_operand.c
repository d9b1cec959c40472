/* The loop in the second operand clears the true outcome of the first one. */
static int f(int a, int b)
{
    return a && ({ while (b) b--; b == 0; });
}

int main(void)
{
    return f(0, 1) == f(1, 1);
}
