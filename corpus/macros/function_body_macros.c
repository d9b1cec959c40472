/* Exercises macros that open and close function bodies, blocks and switch statements. */
#include <stdio.h>

#define TEST(name) static int test_##name(void) { int failed = 0; {
#define END } if (failed) { printf("failed %d\n", failed); } return failed; }
#define EXPECT(c) if (!(c)) { failed++; puts(#c); }
#define BEGIN {
#define FINISH }
#define SELECT(x) switch (x) {
#define ON(v) break; case v:
#define OTHERWISE break; default:

static int triangle(int n)
{
    int kind = 0;
    SELECT (n)
    case 0: kind = 1;
    ON (1) kind = 1;
    ON (2) kind = 3;
        if (kind != 3) {
            puts("kind");
            kind = 0;
        }
    ON (3) kind = 6; puts("three");
    OTHERWISE
        puts("otherwise");
        kind = n * (n + 1) / 2;
    }
    return kind;
}

TEST (triangles)
    EXPECT (triangle(1) == 1)
    EXPECT (triangle(2) == 3)
    if (triangle(1) > 5) {
        puts("unexpected");
        failed = 100;
    }
END

TEST (never_run)
    EXPECT (triangle(3) == 6)
    EXPECT (triangle(10) == 55)
END

int main(void)
BEGIN
    int bad = test_triangles();
    if (bad)
    BEGIN
        bad += test_never_run();
        puts("bad");
    FINISH
    else
    BEGIN
        puts("good");
    FINISH
    for (int i = 0; i < 3; i++)
    BEGIN
        if (triangle(i) == 10) BEGIN puts("ten"); bad++; FINISH
    FINISH
    printf("%d\n", bad);
    return bad;
FINISH
