// expects: profiled
// Leaves shared memory and a queue that outlive processes.
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/msg.h>

int main(void)
{
    shmget(0x7ec0, 1 << 20, IPC_CREAT | 0666);
    msgget(0x7ec0, IPC_CREAT | 0666);
    return 0;
}
