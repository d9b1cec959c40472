int a;
int main(void) {
  int b = 1;
  int c = 1;
  if (b && c) 
{
    int d;
    for (int e; 0;) {}
  } else
    a++;
}
