/* The test of a one-bit field is inverted, and its outcomes are exchanged. */
volatile struct {
    unsigned flag : 1;
} state = { 1 };

int main(void)
{
    if (state.flag == 0)
        return 1;
    return 0;
}
