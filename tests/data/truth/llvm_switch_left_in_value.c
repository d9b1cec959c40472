static int f(int x, int y)
{
    while (x > 0)
        switch (({
            if (y)
                break;
            y;
        })) {
        case 2:
            x = 0;
        }
    return x;
}

int main(void)
{
    return f(1, 1) - 1;
}
