// expects: profiled
// Connects to who listens on loopback; the test puts its port here. Aborts if it could.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/socket.h>
#include <netinet/in.h>

#define LISTENER 1

int main(void)
{
    int socket_ = socket(AF_INET, SOCK_STREAM, 0);
    if (socket_ < 0)
        return 0;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(LISTENER)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_, (struct sockaddr *)&to, sizeof to) == 0)
        abort();
    return 0;
}
