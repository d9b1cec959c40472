#include <stddef.h>
struct s { struct s *next, *x; };
#define container_of(ptr, type, member) ({ \
    const __typeof__(((type *)0)->member) *__mptr = (ptr); \
    (type *)((char *)__mptr - offsetof(type, member)); })
#define M(pos, head, member) \
    for (pos = container_of((head)->next, __typeof__(*pos), member); \
         &pos->member != (head); \
         pos = container_of((pos)->member.next, __typeof__(*(pos)), member))
struct t { struct s y; };
struct u { struct s z; struct s y; };
struct s a = {0, &a};
struct u *f(int b) {
  struct u *c;
  struct t *d;
  M(c, &a, y)
  M(d, &c->z, y)
  if (0)
    ;
  return NULL;
}
int main(void) {
  struct u e[2];
  for (int i = 0; i < 1; i++) {
    struct s *j = &e[i].z;
    j->next = j;
    struct s *k = &e[i].y;
    struct s *h = &a;
    k->next = h;
    h->x->next = k;
    h->x = k;
  }
  f(0);
}
