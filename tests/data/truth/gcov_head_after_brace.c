#include <stdio.h>
int g;
int f(int e){
int o=0; for(;o<8;++o)g+=e; return g;}int
h(int x)
{ return f(x); }
int main(void)
{
    h(1); h(2); h(3); f(5);
    printf("%d\n", g);
    return 0;
}
