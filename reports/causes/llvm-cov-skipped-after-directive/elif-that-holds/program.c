int main(void) {
  int a = 0;
#if defined(_WIN16)
#elif defined(__linux__)
  a *= 2;
#else
#endif
}
