#include <stdbool.h>
int main(void) {
  for (int a = 0; a < 1; a++) {
    if (a)
      continue;
    bool b;
  }
}
