#include <stdbool.h>
int v;
void f(int n) {
    for (int i = 0; i < n; i++) {
        if (i & 1)
            continue;
        bool b = i;
        v += b;
    }
}
int main(void) {
    f(4);
}
