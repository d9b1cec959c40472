/* Is text, but not UTF-8: café. */
int main(void)
{
    return 0;
}
