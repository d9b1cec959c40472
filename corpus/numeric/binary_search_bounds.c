/* Exercises binary search, insertion sort and order statistics, with guards that never fire. */
#include <stdio.h>

static int lower_bound(const int *v, int n, int key) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (mid >= n) { puts("out of bounds"); return n; }
    if (v[mid] < key)
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
    return n;
  }
  int at = lower_bound(v, n, key), i;
  for (i = n; i > at; i--)
    v[i] = v[i - 1];
  v[at] = key;
  return n + 1;
}

static int median2(const int *v, int n) {
  if (n == 0) {
    puts("no median");
    return 0;
  }
  if (n % 2) {
    return 2 * v[n / 2];
  } else {
    return v[n / 2 - 1] + v[n / 2];
  }
}

static int unused_mode(const int *v, int n) {
  int best = 0, run = 0, value = 0;
  for (int i = 0; i < n; i++) {
    run = i && v[i] == v[i - 1] ? run + 1 : 1;
    if (run > best) { best = run; value = v[i]; }
  }
  return value;
}

int main(void) {
  int v[32], n = 0, x = 7;
  for (int i = 0; i < 20; i++) {
    x = (x * 13 + 11) % 101;
    n = insert_sorted(v, n, 32, x);
  }
  for (int i = 1; i < n; i++)
    if (v[i - 1] > v[i]) {
      printf("not sorted at %d\n", i);
      v[i] = unused_mode(v, n);
      return 1;
    }
  printf("%d %d %d %d\n", v[0], v[n - 1], median2(v, n), lower_bound(v, n, 50));
  if (median2(v, n) < 0) return 2;
  return 0;
}
