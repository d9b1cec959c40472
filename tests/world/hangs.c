/* Never ends; it is killed at the deadline. */
int main(void)
{
    for (;;)
        ;
}
