#define TRY(value) ({ int tried = (value); if (tried < 0) return tried; tried; })
static int half(int x) { return x == 4 ? -1 : x / 2; }
static int sum(int x)
{
    int found = 0;
    if (x > 2) {
        found += TRY(half(x));
    } else if (x > 1) {
        found += 2;
    }
    return found;
}
int main(void)
{
    int all = 0;
    for (int i = 0; i < 8; i++)
        all += sum(i);
    return all == 0;
}
