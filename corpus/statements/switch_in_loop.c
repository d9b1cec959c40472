/* Exercises switch inside loops, with continue passing through the switch and break leaving it only. */
#include <stdio.h>

int main(void)
{
  const char *program = "++>+++<-.>.#";
  int cells[4] = {0, 0, 0, 0};
  int at = 0;
  int printed = 0, errors = 0;

  for (const char *p = program; *p; p++) {
    switch (*p) {
      case '+':
        cells[at]++;
        continue;
      case '-':
        cells[at]--;
        continue;
      case '>':
        if (at == 3) {
          puts("right edge");
          errors++;
          break;
        }
        at++;
        break;
      case '<':
        if (at == 0) {
          puts("left edge");
          errors++;
          break;
        }
        at--;
        break;
      case '.':
        printf("cell %d = %d\n", at, cells[at]);
        printed++;
        break;
      case ',':
        puts("input is not supported");
        errors += 10;
        continue;
      case '#':
        goto done;
      default:
        printf("unknown %c\n", *p);
        errors++;
        return 2;
    }
    cells[3] += 2;
  }
  puts("no end marker");
  errors = -1;
done:
  while (errors > 0) {
    switch (errors) {
      case 1: puts("one error"); break;
      default: puts("errors"); break;
    }
    errors--;
  }
  printf("%d %d\n", printed, cells[3]);
  return errors;
}
