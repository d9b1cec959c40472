# 1 "sys.h" 1 3
#define BAR(x) (((int *)x)[0] && ((int *)x)[1])
#define FOO(x) (x[0] && x[1])
# 4 "p.c" 2
int buf[100], a, b, c;
int main(void)
{
    if (a) {
        return 1;
    } else {
        if (a && BAR(buf))
            return 2;
        if (a && FOO(buf))
            return 2;
    }
    return 0;
}
