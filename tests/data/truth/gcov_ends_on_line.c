#include <stdio.h>

static int n;

static int add(int x)
{
    n++;
    return x;
}

static void end_after_argument(int k, int m)
{
    if (k > 0) {
        n++;
        end_after_argument(k - 1
            , m); } }

static int value_before_else(int b, int c, int d)
{
    if (b)
        return
            c; else return d;
}

static int arm_before_else(int b, int c, int d)
{
    int x;
    if (b) x =
        add(c); else x = add(d);
    if (b) n +=
        c; else n += d;
    return x;
}

static void test_before_do(int *values, int limit)
{
    int i = 0, j = 9;
    do { i++; } while (values[
        i] < limit); do { j--; } while (values[j] > limit);
    n += i + j;
}

static int into_loop(int k)
{
    switch (k & 1) while (k < 3) { k++; case 1: k++; }
    return k;
}

static void step_before_body(void)
{
    for (int a = 0; a < 6; a
        ++) for (int b = 0;
            b < 3; b++)
            n++;
}

static int goto_before_block(int k)
{
    if (k > 2) goto
        done; { if (k == 1)
            n++; }
    n += 2;
done:
    return n;
}

static int label_ends_line(int x)
{
    int r = 0;
    switch (x) {
    case 1: if (r) break; case 2:
        r++;
    }
    return r;
}

int main(void)
{
    int values[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    int sum = 0;
    end_after_argument(5, 1);
    for (int i = 0; i < 6; i++) {
        sum += value_before_else(i & 1, i, 3);
        sum += arm_before_else(i > 3, i, 3);
        test_before_do(values, i + 1);
        sum += into_loop(1);
        sum += goto_before_block(i);
        sum += label_ends_line(i);
    }
    step_before_body();
    printf("%d %d\n", sum, n);
    return 0;
}
