int a;
int main(void) {
  for (int b;;)
    if (({ break; 0; }))
      ;
  a;
}
