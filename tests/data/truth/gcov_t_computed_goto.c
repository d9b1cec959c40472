#include <stdio.h>
static int run(const int *code)
{
  static void *const tab[] = { &&op_inc, &&op_dbl, &&op_end };
  int acc = 0;
  goto *tab[*code++];
op_inc:
  acc += 1;
  if (acc > 100)
    goto *tab[2];
  goto *tab[*code++];
op_dbl:
  acc *= 2;
  goto *tab[*code++];
op_end:
  return acc;
}
int main(void)
{
  static const int prog[] = { 0, 0, 1, 0, 2 };
  printf("%d\n", run(prog));
  return 0;
}
