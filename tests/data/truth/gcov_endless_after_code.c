/* Endless loops after other code of their line: control comes to the line, and again with each jump back. */
static int digits(int n) {
  int found = 0;
  if (n) for (;;) { found++; if (!(n /= 10)) break; }
  return found;
}
static int halved(int n) {
  int times = 0;
  if (n) do { times++; if (!(n /= 2)) break; } while (1);
  return times;
}
static int lowered(int n) {
  while (n > 9) for (;;) { if (--n % 4 == 0) break; }
  return n;
}
static int both(int n) {
  int m = n;
  for (;;) { if (m++ > 5) break; } for (;;) { if (n-- < 5) break; }
  return m + n;
}
int main(void) {
  int sum = digits(123) + digits(0) + halved(8) + halved(0);
  return sum + lowered(15) + both(4) != 3 + 4 + 8 + 7 + 3;
}
