/* Exercises chains where arms end by return, break or goto, and the statements that join them. */
#include <stdio.h>

static int step(int state, int input)
{
  if (state == 0) {
    if (input == 'a') {
      return 1;
    } else if (input == 'b') {
      return 2;
    } else {
      puts("unexpected in 0");
      return -1;
    }
  } else if (state == 1) {
    if (input == 'b')
      return 0;
    else if (input == 'c')
      goto reset;
    else
      state = 2;
  } else {
    if (input == 'a')
      state = 0;
    else {
      state = 3;
      puts("entering 3");
      return state;
    }
  }
  return state;

reset:
  puts("reset");
  state = 0;
  return state;
}

int main(void)
{
  const char *input = "ababaabab";
  int state = 0, changes = 0;

  for (int i = 0; input[i]; i++) {
    int next = step(state, input[i]);
    if (next < 0) {
      printf("rejected at %d\n", i);
      return 1;
    } else if (next == state) {
      puts("no change");
      continue;
    } else if (next == 3) {
      state = next;
      break;
    } else
      changes++;
    state = next;
  }
  printf("state %d changes %d\n", state, changes);
  if (state == 3)
    return 3;
  else
    return 0;
}
