int one = 1;

int main(void)
{
    one++;
#if 0
    one = 3;
#elif 1
    one = 2;
#endif
    return one - 2;
}
