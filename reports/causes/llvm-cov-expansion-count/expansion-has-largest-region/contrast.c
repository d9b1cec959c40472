int total;
int main(void) {
  if (0)
    total += 0;
    ;
}
