struct optimize {
    int level;
};

static int optimize(struct optimize *naked)
{
    return naked->level > 1
               ? 2
               : 1;
}

int main(void)
{
    struct optimize o = { 0 };
    for (; o.level < 3; o.level++)
        optimize(&o);
    return 0;
}
