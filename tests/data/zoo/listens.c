// expects: profiled
// Listens on a port. Aborts if it could.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/socket.h>
#include <netinet/in.h>

int main(void)
{
    int socket_ = socket(AF_INET, SOCK_STREAM, 0);
    if (socket_ < 0)
        return 0;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(47113)};
    at.sin_addr.s_addr = htonl(INADDR_ANY);
    if (bind(socket_, (struct sockaddr *)&at, sizeof at) == 0 && listen(socket_, 1) == 0)
        abort();
    return 0;
}
