/* Definitions for probed code. RECOUNT_TYPE gives the number that the search uses for a type after promotion. */
#define RECOUNT_TYPE(x) _Generic((x), unsigned int: 1, long: 2, long long: 2, unsigned long: 3, \
    unsigned long long: 3, float: 4, double: 5, long double: 6, int: 0, _Bool: 0, char: 0, signed char: 0, \
    unsigned char: 0, short: 0, unsigned short: 0, default: 7)
#define RECOUNT_BITS(x) _Generic((x), float: recount_of_float, double: recount_of_double, \
    long double: recount_of_long_double, int: recount_of_signed, long: recount_of_signed, \
    long long: recount_of_signed, char: recount_of_signed, signed char: recount_of_signed, \
    short: recount_of_signed, _Bool: recount_of_unsigned, unsigned char: recount_of_unsigned, \
    unsigned short: recount_of_unsigned, unsigned int: recount_of_unsigned, \
    unsigned long: recount_of_unsigned, unsigned long long: recount_of_unsigned, \
    default: recount_of_pointer)(x)
static __inline__ unsigned long long recount_of_signed(long long x) { return (unsigned long long)x; }
static __inline__ unsigned long long recount_of_unsigned(unsigned long long x) { return x; }
static __inline__ unsigned long long recount_of_pointer(const volatile void *x) { return (unsigned long)x; }
static __inline__ unsigned long long recount_of_double(double x)
{ union { double value; unsigned long long bits; } u; u.value = x; return u.bits; }
static __inline__ unsigned long long recount_of_long_double(long double x) { return recount_of_double((double)x); }
static __inline__ unsigned long long recount_of_float(float x)
{ union { float value; unsigned int bits; } u; u.value = x; return u.bits; }
static __inline__ double recount_double(unsigned long long x)
{ union { double value; unsigned long long bits; } u; u.bits = x; return u.value; }
static __inline__ float recount_float(unsigned long long x)
{ union { float value; unsigned int bits; } u; u.bits = (unsigned int)x; return u.value; }
