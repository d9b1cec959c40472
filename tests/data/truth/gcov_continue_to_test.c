int main(void)
{
    int r = 0, n = 0;
    for (int i = 0; i < 9; i++) {
        switch (i) {
        case 3:
            do {
                if (r++ & 1) continue;
                r += 2; } while (r < 9); default: n++;
        }
    }
    return n != 9;
}
