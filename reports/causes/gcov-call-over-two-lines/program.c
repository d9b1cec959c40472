int f(int a, int b, int c) {
    return 0;
}
int main () {
  int d;
  for (d = 0; d < 1; d++) {
      int e = f (0,
		   d & 1 ? 0 : 2, d ? 0 : 2);
    }
}
