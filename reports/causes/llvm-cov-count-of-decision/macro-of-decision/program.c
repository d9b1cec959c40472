#include <sys/stat.h>
#define M(mode) S_ISDIR(mode) && used == 0
int used;
int main(void) {
  (M(0));
}
