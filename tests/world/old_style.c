/* C as it was before 1989: implicit int, parameters declared after the parameter list, no prototypes. */
static counter;

add(n, message)
    int n;
    char *message;
{
    if (n > 5)
        puts(message);
    counter = counter + n;
    return counter;
}

main()
{
    add(1, "one");
    add(2, "two");
    return counter - 3;
}
