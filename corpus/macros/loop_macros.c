/* Exercises macros that contain a loop or a loop header, with live and dead bodies. */
#include <stdio.h>

#define FOR_EACH(p, v) for (const int *p = (v); p < (v) + sizeof(v) / sizeof((v)[0]); p++)
#define REPEAT(n) for (int rep_ = 0; rep_ < (n); rep_++)
#define FILL(v, n, x) do { for (int i_ = 0; i_ < (n); i_++) (v)[i_] = (x) + i_; } while (0)
#define UNTIL(c) while (!(c))
#define SUM(out, v, n)                    \
	{                                 \
		int i_ = 0;               \
		out = 0;                  \
		while (i_ < (n)) {        \
			out += (v)[i_];   \
			i_++;             \
		}                         \
	}

int main(void)
{
	int v[6], empty[3] = { 0 };
	int sum = 0, odd = 0, none = 0;

	FILL(v, 6, 10);
	FILL(empty, 0, 1);
	FOR_EACH(p, v) {
		if (*p % 2 == 0)
			continue;
		if (*p > 100) {
			puts("too large");
			odd = 0;
			break;
		}
		odd++;
	}
	SUM(sum, v, 6)
	REPEAT(3)
		sum += odd;
	REPEAT(none) {
		puts("never repeated");
		sum--;
	}
	REPEAT(2) REPEAT(2) sum++;
	UNTIL(sum > 100) {
		sum += 7;
		if (sum == 99) {
			puts("ninety-nine");
			none = 1;
		}
	}
	UNTIL(none == 0) {
		none--;
		FILL(v, 6, 0);
		SUM(sum, v, 6)
	}
	printf("%d %d %d\n", sum, odd, v[5] + empty[0]);
	return 0;
}
