/* Exercises token pasting: generated functions, variables and labels, some of them unused. */
#include <stdio.h>

#define DEFINE_STACK(type, name)                                \
  static type name##_items[8];                                  \
  static int name##_used;                                       \
  static int name##_push(type v)                                \
  {                                                             \
    if (name##_used == 8)                                       \
      {                                                         \
        puts(#name " stack is full");                           \
        return -1;                                              \
      }                                                         \
    name##_items[name##_used++] = v;                            \
    return name##_used;                                         \
  }                                                             \
  static type name##_pop(void)                                  \
  {                                                             \
    if (name##_used == 0)                                       \
      {                                                         \
        puts(#name " stack is empty");                          \
        return 0;                                               \
      }                                                         \
    return name##_items[--name##_used];                         \
  }

DEFINE_STACK(int, whole)
DEFINE_STACK(double, real)

#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define UNIQUE GLUE(tmp_, VERSION)
#define VERSION 2
#define LEAVE(n) goto leave_##n

int main(void)
{
  int UNIQUE = 5;
  int sum = 0;

  for (int i = 0; i < tmp_2; i++)
    {
      if (whole_push(i * i) < 0)
        LEAVE(1);
      if (i == 4)
        LEAVE(2);
      if (i > 6)
        {
          puts("too far");
          real_push(1.5);
          LEAVE(1);
        }
    }
  puts("loop ended");
leave_2:
  while (whole_used > 0)
    sum += GLUE(whole, _pop)();
  printf("%d\n", sum);
  if (sum < 0)
    {
      sum = (int) real_pop();
      LEAVE(1);
    }
  return 0;
leave_1:
  puts("left early");
  return 1;
}
