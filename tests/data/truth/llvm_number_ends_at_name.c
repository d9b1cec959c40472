#include <errno.h>
int main(int argc, char **argv)
{
	int r = argc > 1 ? argc : -EIO;
	r += argc > 1 ? argc : - EIO;
	r += argc > 1 ? argc : EIO;
	r += argc > 1 ? argc : (-EIO);
	return r ? 0 : -EIO;
}
