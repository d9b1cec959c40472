int x;
int main(void)
{
    if (x)
        __builtin_abort();
#define DONE return 0;
    DONE
}
