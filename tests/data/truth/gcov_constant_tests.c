/* Tests of loops that are constants: 0 is tested once, any other one as often as the body begins. */
#include <stdbool.h>
static int n;

int main(void)
{
	while (false)
		n++;
	while (0)
		n++;
	for (; false;)
		n++;
	for (; 0;)
		n++;
	for (int i = 0; (true); i++)
		if (i > 2)
			break;
	while (!0)
		if (n++ > 7)
			break;
	while (0x1u)
		if (n++ > 9)
			break;
	return n != 11;
}
