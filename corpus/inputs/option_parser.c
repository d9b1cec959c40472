/* Exercises a hand-written option parser over argv, with several error branches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
  int verbose;
  int width;
  const char *output;
  int files;
};

static int parse(int argc, char **argv, struct options *o)
{
  int i;

  for (i = 1; i < argc; i++)
    {
      const char *a = argv[i];
      if (a[0] != '-' || a[1] == '\0')
        {
          o->files++;
          continue;
        }
      if (strcmp(a, "--") == 0)
        {
          i++;
          break;
        }
      if (strncmp(a, "--width=", 8) == 0)
        {
          o->width = atoi(a + 8);
          if (o->width <= 0)
            {
              printf("bad width %s\n", a + 8);
              o->width = 80;
              return -1;
            }
          continue;
        }
      for (a++; *a; a++)
        switch (*a)
          {
          case 'v':
            o->verbose++;
            break;
          case 'q':
            o->verbose = 0;
            break;
          case 'o':
            if (i + 1 >= argc)
              {
                puts("-o needs a name");
                return -2;
              }
            o->output = argv[++i];
            goto next;
          case 'h':
            puts("usage: option_parser [-vqh] [-o name] [--width=n] files");
            exit(0);
          default:
            printf("unknown option -%c\n", *a);
            return -3;
          }
    next:;
    }
  o->files += argc - i;
  return 0;
}

int main(int argc, char **argv)
{
  struct options o = { .width = 72 };
  int status = parse(argc, argv, &o);

  if (status < 0)
    {
      fprintf(stderr, "error %d\n", -status);
      return -status;
    }
  printf("verbose %d width %d output %s files %d\n",
         o.verbose, o.width, o.output ? o.output : "(none)", o.files);
  return 0;
}
