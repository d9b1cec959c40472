static void fill(int *p) { *p = 2; }

static int find(int wanted)
{
    int tried = 0;
    for (;;) {
        if (tried == wanted) return tried;
        int y;
        fill(&y);
        if (tried == y) goto late;
        tried++;
        continue;
    late:
        wanted = -1;
        return -tried;
    }
}

int main(void)
{
    return find(1) + find(5) + find(6) != -3;
}
