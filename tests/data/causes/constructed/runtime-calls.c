void free(void *memory)
{
}

void *nothing(void)
{
    return 0;
}

int main(void)
{
    void *memory = nothing();
    free(memory);
    return 0;
}
