int g(int n)
{
  return n;
}
int f(int n)
{
  if (n == 0)
    return 7;
  __attribute__((musttail)) return g(n);
}
int main(void)
{
  return f(1) + f(2) == 3 ? 0 : 1;
}
