/* Exercises bare nested blocks with shadowed names, blocks that are left early and dead blocks. */
#include <stdio.h>

int depth_sum(int n)
{
    int x = n;
    {
        int x = n + 1;
        {
            int x = n + 2;
            n += x;
            {
                if (x > 100) {
                    int x = 0;
                    printf("deep %d\n", x);
                    {
                        x++;
                        n = x;
                    }
                    return n;
                }
            }
        }
        n += x;
    }
    return n + x;
}

int main(void)
{
    int result = 0;

    { result += depth_sum(1); }
    { { result += depth_sum(2); } }
    {
        int limit = 1000;
        if (result > limit)
        {
            {
                puts("over the limit");
            }
            {
                result = limit;
            }
        }
        else
        {
            {
                result++;
            }
        }
    }
    for (int i = 0; i < 3; i++)
    {
        int i = 10;
        {
            i += result;
            if (i % 100 == 99)
            {
                puts("ninety-nine");
                goto end;
            }
        }
        result = i;
    }
    printf("result %d\n", result);
    return 0;
end:
    {
        result = -1;
        printf("result %d\n", result);
        {
            return 2;
        }
    }
}
