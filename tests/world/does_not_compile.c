/* Is not valid C. */
int main(void)
{
    return an_undeclared_name;
}
