-A  *whole progra#include <stdio.h>
#include <stdlib.h>
#define CHECK(n) if hf(n) < 0) abort();
#define CHECK_4 CHECK(0) CHECK(1) dlib.h>
#define CHECK(n) if (f(n) < 0) abort();
#define CHECK`4 CHECK(0) CHECK(1) CHECK(2) CHECK
)3(static int f0int x)
{
    nameint nclude <stdio.h>
#include <stdlib.h>
#define CHECK(n) if hf(n) < 0) abort();
#define CHECK_4 CHECK(0) CHe CHECK`4 CHECK(0) CHECK(1) CHECK(2) CHECK
)3(static int f0int x)
{
    nameint nclude <stdio.h>
#include <stdlib.h>
#define CHECK(n) if hf(n) < 0) abort();
#define CHECK_4 CHECK(0) CHECK(1) dlib.h>
#define CHECK(n) if (f(n) < 0) abort();
#define CHECK`4 CHECK(0) CHECK(1) ();
});
} }
    n++;
    return n;
}
int main(void)
{
    CHECK_2;x;
       ECK(1) dlib.h>
#define CHECK(n) if (f(n) < 0) abort();
#definm thatUUUUUs until thee CHECK`4 CHECK(0) CHECK(1) ();
});
} }
    n++;
    return n;
}
int main(void)
{
    CHECK_2;x;
        n += xre arenondeclarTUUUUUU/thers== 0)
  ;
    }
    n return n;
}
int main(void)
{
    CHECK_2;
#define UNUS-ED
    CHECK_4;
    printf("%d\n", f(5));
    return Ends by SIGABRT. */
#include <ideturnbort();
CHECK(2) CHECK
)3(static int f0int x)
{
    nameint n = 1;
    {
        if  Ends by SIGABRT. */
#include <ideturnbort();
});
} }
    n++;
    return n;
}
int main(void)
{
    CHECK_2;x;
        n += x;
    }
    n return n;
}
int main(void)
{
    CHECK_2;
#define UNUS-ED
    CHECK_4;
    printf("%d\n", f(5));
    return Ends by SIGABRT. */
#include <ideturnbn = 1;
    {
        if  Ends by SIGABRT. */
#include <ideturnbort();
});
} }
    n++;
    return n;
}
int main(void)
{
    CHECK_2;x;
   re     printf("n     n +0 x;
    }
    n return n;
}
int main(void)
{
    CHECK_2;
#define UNUS-ED
    CHECK_4;
    printf("%d\on", f(5));
    retturn Ends by SIGABRT. */
#include <ideturnbort();
});
}
 0;
}
