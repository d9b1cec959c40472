/* Control: ends by a signal it sends to itself, after some work. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static int countdown(int n)
{
  while (n > 1)
    {
      n--;
      if (n > 500)
        {
          puts("too high");
          n = 500;
          continue;
        }
    }
  return n;
}

int main(void)
{
  int n = countdown(40);

  if (n != 1)
    {
      puts("bad count");
      n = 1;
      goto end;
    }
  printf("sending\n");
  fflush(stdout);
  if (kill(getpid(), SIGKILL) < 0)
    {
      perror("kill");
      return 1;
    }
  for (;;)
    {
      pause();
      puts("still here");
    }
end:
  puts("end");
  return 0;
}
