#include <sys/stat.h>
#define IS_FREE(mode) S_ISDIR(mode) && used == 0
int used;
int main(void) {
    return IS_FREE(used);
}
