/* Control: reads bytes from /dev/urandom and branches on them. */
#include <stdio.h>

int main(void)
{
  unsigned char bytes[32];
  int low = 0, high = 0;
  FILE *f = fopen("/dev/urandom", "rb");

  if (f == NULL) {
    perror("/dev/urandom");
    low = -1;
    return 1;
  }
  if (fread(bytes, 1, sizeof bytes, f) != sizeof bytes) {
    puts("short read");
    goto fail;
  }
  fclose(f);
  for (int i = 0; i < 32; i++) {
    if (bytes[i] < 128)
      low++;
    else
      high++;
    while (bytes[i] > 3)
      bytes[i] /= 2;
  }
  printf("%d low, %d high\n", low, high);
  if (low + high != 32) {
    puts("lost bytes");
    low = high = 0;
    return 2;
  }
  return 0;

fail:
  fclose(f);
  puts("failed");
  return 3;
}
