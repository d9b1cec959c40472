/* An inventory with statements broken over lines by hand. */
#include <stdio.h>
#include <string.h>

struct item {
  const char *name;
  int stock;
  int price;
};

static int
is_cheap(const struct item *item)
{
  return item->price < 10;
}

static int
clamp(int value,
      int low,
      int high)
{
  return value < low
           ? low
         : value > high
           ? high
           : value;
}

static int
total(const struct item *items,
      int count)
{
  int sum = 0;
  for (int i = 0;
       i < count
         && items[i].name
              != NULL;
       i++)
    sum += items[i].stock
             * (is_cheap(&items[i])
                  ? 1
                  : items[i].price);
  return sum;
}

static const struct item *
find(const struct item *items,
     int count,
     const char *name)
{
  int i = 0;
  do {
    if (strcmp(items[i].name,
               name) == 0)
      return &items[i];
  } while (++i
             < count);
  return NULL;
}

static int
discount(const struct item *item,
         int amount)
{
  int rate =
    amount > 100
      ? 20
      : amount > 10
          ? 10
          : 0;
  int result = item
    && item->price > 5
    && !is_cheap(item);
  switch (clamp(rate,
                0,
                15)) {
  case 15: case 14:
    result +=
      rate;
    break;
  case 10:
    result -=
      is_cheap(item)
        ? 2
        : 3;
    break;
  default:
    result =
      -result;
  }
  return result
    ? result
    : -1;
}

int
main(void)
{
  struct item items[] = {
    { "nail", 100, 1 },
    { "saw", 3, 12 },
    { "drill", 2, 80 },
    { "glue", 7, 5 },
  };
  int count = sizeof items
                / sizeof *items;
  printf("%d\n",
         total(items,
               count));
  const char *names[] = { "saw", "axe", "nail" };
  for (int i = 0; i < 3; i++) {
    const struct item *item =
      find(items, count, names[i]);
    if (item == NULL
        || item->stock
             < clamp(i,
                     0, 1)
        || (item->price > 10
            && i == 7)) {
      printf("no %s\n",
             names[i]);
      continue;
    }
    for (int amount = 1; amount < 1000;
         amount *= 8)
      printf(
        "%s %d: %d\n", item->name,
        amount,
        discount(item,
                 amount)
          + (amount > 50 ? 1
                         : 0));
  }
  return 0;
}
