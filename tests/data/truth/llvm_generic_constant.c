int k = 3, y;
int main(void)
{
    y = _Generic(1, default : k, int : 7) ? 1 : k;
    return y - 1;
}
