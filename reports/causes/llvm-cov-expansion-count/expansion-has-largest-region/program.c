#define M(n) total += n;
int total;
int main(void) {
  if (0)
    M(0)
    ;
}
