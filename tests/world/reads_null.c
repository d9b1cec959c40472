/* Ends by SIGSEGV. */
int main(void)
{
    int *volatile nothing = 0;
    return *nothing;
}
