#include <stdio.h>

int main(void)
{
    switch (sizeof(int) > 1 &&
            sizeof(char) == 1) {
    case 1:
        puts("usual");
    }
    return 0;
}
