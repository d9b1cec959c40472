/* Is no C. */
int main(void)
{
    return an_undeclared_name;
}
