#include <stdlib.h>

static int products;

[[noreturn]] static void give_up(void) {
  exit(products);
}

static int product(int a, int b) {
  if (b && a > 1000 / b) {
    give_up();
    products = 7;
  }
  products++;
  return a * b;
}

int main(void) {
  product(3, 4);
  product(30, 40);
  return 1;
}
