#include <stdlib.h>
#define M(action)              \
    if (total > 50) exit(1);      \
    action total += 2;            \
    total++
int total, a;
int main(void) {
  M(a++;);
  M();
}
