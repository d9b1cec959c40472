int a(void) { return 1; }
#define T(O) (a() O a())
int main(void) { return T(&&); }
