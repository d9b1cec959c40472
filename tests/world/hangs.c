/* Never ends: the deadline ends it. */
int main(void)
{
    for (;;)
        ;
}
