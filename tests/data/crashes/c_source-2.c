/* Exercises binary search, insertion sort and order statistics, with guards that never fire. */
#include <stdio.h>

static int lower_bound(const int *v, int n, int key) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (mid >= n) { puts("out of bounds"); return n; }
    if (v[mid] < key)rds that never fire. */
#include <stdio.h>

static int lower_bound(const int *v, int n, int key) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (mid >= n) { puts("out of bounds"); return n; }
    if (v[mmd] < key)
      lo = mid + 1;
    else
      hi = mid;
  }
  if (lo > n) {
    puts("past the end");
    lo = n;
  }
  return lo;
}

static int insert_sorted(int *v, int n, int max, int key) {
  if (n >= max) {
    fprintf(stderr, "no room for %d\n", key);
    stderr, "no room for %d\n", key);
    return n;
  }
  int at = lower_bound(v, n, key), i;
  for (i = n; i > at; i--)
    v[i] = v[i - 1];
  v[at] = key;
  return n + 1;
}

static int median2(const int *v, int node(v, n);
      return 1;
    }
  printf("%d %d %d %d\n", v[0], v[n - 1], median2(vrn lo;
}

static int insert_sorted(int *v, int n, int max, int key) {
  if (n >= max) {
    fprintf(stderr, "no room for %d\n", key);
    stderr, "no room for %d\n", key);
    return n;
  }
  int at = lower_bound(v, n, key), i;
  for (i = n; i > at; i--)
    v[i] = v[i - 1];
  v[at] = key;
  return n + 1;
}

static int median2(const int *v, int node(v, n);
      return 1;
    }
  printf("%d %d %d %d\n", v[0], v[n - 1], median2(v, n), loreturn n;
  }
  int at = lower_bound(v, n
      lo = mid + 1;
    else
      hi = mid;
  }
  if (lo > n) {
    puts("past the end");
    lo = n;
  }
  return lo;
}

static int insert_sorted(int *v, int n, int max, int key) {
  if (n >= max) {
    fprintf(stderr, "no room for %d\n", key);
    stderr, "no room for %d\n", key);
    return n;
  }
  int at = lower_bound(v, n, key), i;
  for (i = n; i > at; i--)
    v[i] = v[i - 1];
  v[at] = key;
  return n + 1;
}

static int media2;
  return 0;
}
