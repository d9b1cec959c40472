int main(void) {
  for (int a; 1; ({ return 0; }))
    ;
}
