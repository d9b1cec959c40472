struct node {
    int type;
};
static struct node *get(struct node *p, int i)
{
    return i < 3 ? &p[i] : 0;
}
#define TYPE(p) ((p)->type)
#define IS(p) ((p) && TYPE(p) == 2)
int main(void)
{
    struct node a[3] = { { 2 }, { 1 }, { 2 } };
    int n = 0;
    for (int i = 0; i < 4; i++) {
        if (!IS(get(a, i)))
            n++;
    }
    return n != 2;
}
