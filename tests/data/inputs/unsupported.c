/* Functions that cannot be called with numbers. */
union either { int i; float f; };

int a_union(union either e) { return e.i == 5; }
int unnamed(struct { int x; } *shape, int y) { return y == 5; }
int complex(_Complex double z) { return __real__ z == 5; }
int callback(int (*call)(int), int x) { return call(x); }
int untyped(void *memory) { return memory != 0; }
int words(char **list) { return list != 0; }
int variadic(int n, ...) { return n; }
int wide(__int128 huge) { return huge > 0; }
