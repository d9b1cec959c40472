#define LEAVE(n) goto leave_##n
#define NOW LEAVE(1);

int main(void)
{
    int times = 0;
    while (times < 5) {
        times++;
        if (times == 4)
            NOW
    }
leave_1:
    return times - 4;
}
