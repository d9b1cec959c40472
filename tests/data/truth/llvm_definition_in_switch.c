int main(void)
{
	int a = 1, n = 0;
	switch (a) {
#define CATCH(c) break; case c:
#define LAST break; default: n++
	case 1: n = 0;
	CATCH(2) n = 2;
	LAST;
	}
	return n;
}
