#define LESS(x) ((x) < 3)
#define GOES_ON(x) LESS(x)
int main(void) {
  int i = 0;
  while (GOES_ON(i))
    i++;
}
