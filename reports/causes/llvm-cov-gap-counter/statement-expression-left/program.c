int a;
int main(void) {
  a += ({ if (0) return 0; 0; });
  a++;
}
