// expects: profiled
// Sends a datagram over loopback. Aborts if it went.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/socket.h>
#include <netinet/in.h>

int main(void)
{
    int socket_ = socket(AF_INET, SOCK_DGRAM, 0);
    if (socket_ < 0)
        return 0;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (sendto(socket_, "x", 1, 0, (struct sockaddr *)&to, sizeof to) == 1)
        abort();
    return 0;
}
