int a, b, c[2];
#define M(p) (p)
int main(void) {
  for (; a < 2; a++)
    b = M(c[a && 1] || 0);
}
