#define LIST(X) X(a) X(b)
#define SET(X) X(a) X(b)
#define EACH(X) \
    X(a)        \
    X(b)
#define LOW(v, least) \
    if (v > 3 ?       \
        v > 4 : v > least) return 1
#define UNLIKELY(v) (__builtin_expect(!!(v), 0))
struct pair {
    int a, b;
};
static int low(int v)
{
    LOW(v, 2);
    LOW(v, 1);
    while UNLIKELY(v > 1)
        v--;
    return 0;
}
static int fill(struct pair *p, int k)
{
    int n = 0;
#define IF(name) if (k > 2) p->name = 1;
    LIST(IF)
#define LOOP(name) for (int i = 0; i < k; i++) p->name++;
    SET(LOOP)
#define COUNT(name) while (p->name > 3) p->name--;
    EACH(COUNT)
    return n;
}
int main(void)
{
    struct pair p = {0, 0};
    return fill(&p, 1) + fill(&p, 3) + fill(&p, 2) + low(1) + low(3) + low(4) > 99;
}
