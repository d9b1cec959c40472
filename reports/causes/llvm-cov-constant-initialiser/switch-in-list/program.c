int main(void) {
  int a[1] = {({ switch (sizeof(int))  case sizeof(int): break;  0; }), };
  return 0;
}
