int a;
int main(void) {
  
  a;
l:;
}
