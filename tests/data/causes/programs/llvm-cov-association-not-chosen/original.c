void abort(void) __attribute__((noreturn));
int v;
int main(void) {
    v = _Generic(v, long: (abort(), 1), default: 2);
    v++;
}
