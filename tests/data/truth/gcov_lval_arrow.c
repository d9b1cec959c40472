#include <stdio.h>
struct node { struct node *next; int v[3]; };
static int inc(int x) { return x + 1; }
int main(void)
{
  int i;
  struct node n = { 0 }, *p = &n;
  n.next = p;
  for (i = 0; i < 3; i++)
    {
      p->next
       ->v[inc(0)] =
          inc(i);
    }
  printf("%d\n", n.v[1]);
  return 0;
}
