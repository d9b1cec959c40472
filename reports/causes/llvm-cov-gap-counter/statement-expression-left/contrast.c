int a;
int main(void) {
  a += 0;
  a++;
}
