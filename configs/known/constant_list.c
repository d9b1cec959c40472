int main(void)
{
    int parts[2] = {
        ({
            switch (sizeof(int)) {
            case sizeof(int):
                break;
            }
            3;
        }),
        5,
    };
    return parts[0] + parts[1] - 8;
}
