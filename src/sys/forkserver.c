/* The part of a fork server that runs inside a compiler or a coverage tool.
 *
 * Loaded with LD_PRELOAD, it lets the tool start and stops it before it looks at the first file that may change
 * from one program to the next: one with a relative name, one under the folder that RECOUNT_STOP names, or an
 * object, since a linker keeps those open. From there a child process continues for every request, as AFL does it
 * for its targets (M. Zalewski, "Fuzzing random programs without execve()", 2014). Before the stop a tool depends
 * on its command line alone, so each child does what a new process would have done.
 *
 * Requests come on descriptor 0 and answers go to descriptor 1; every number has four bytes in the machine's
 * order. The tool answers READY once, when it has stopped. A request is a length and so many bytes: as text the
 * CPU seconds and the file size that the child may use, its working directory, and the files for its output and
 * its errors, each ended by a zero byte. The answer is the child's wait status. A driver that cannot wait any
 * longer closes descriptor 0, and the child is killed.
 *
 * Only symbols that every glibc on the machine has are used, because compilers of other distributions bring their
 * own. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READY = 0x7c07, MOST_DESCRIPTORS = 256, PIDFD_OPEN = 434 };

extern char **environ;

static char *folder; /* files below it stop the tool; null when this process does not serve */

static void leave(void) { _exit(0); }

static void take(void *to, size_t size) {
    for (char *at = to; size > 0;) {
        ssize_t got = read(0, at, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) leave(); /* the driver has ended */
        at += got;
        size -= got;
    }
}

static void answer(uint32_t number) {
    if (write(1, &number, sizeof number) != sizeof number) leave();
}

/* All children would share a file that is open already, and its position; none would have a second thread. */
static int can_be_forked(void) {
    for (int fd = 3; fd < MOST_DESCRIPTORS; fd++) {
        struct stat is;
        if (syscall(SYS_fstat, fd, &is) == 0 && S_ISREG(is.st_mode)) return 0;
    }
    struct stat tasks; /* a folder a thread, and "." and ".." */
    return syscall(SYS_newfstatat, AT_FDCWD, "/proc/self/task", &tasks, 0) == 0 && tasks.st_nlink == 3;
}

static void limit(int resource, const char *text, int more) {
    struct rlimit limit = {strtoull(text, 0, 10), strtoull(text, 0, 10) + more};
    setrlimit(resource, &limit);
}

static void point(int fd, const char *path, int flags) {
    int file = syscall(SYS_openat, AT_FDCWD, path, flags, 0666);
    if (file < 0 || dup2(file, fd) < 0) _exit(127);
    close(file);
}

enum { CPU, FILE_SIZE, FOLDER, OUTPUT, ERRORS, WORDS };

static void become_tool(char **words) {
    setpgid(0, 0);
    limit(RLIMIT_CPU, words[CPU], 1);
    limit(RLIMIT_FSIZE, words[FILE_SIZE], 0);
    limit(RLIMIT_CORE, "0", 0);
    if (chdir(words[FOLDER])) _exit(127);
    point(0, "/dev/null", O_RDONLY);
    point(1, words[OUTPUT], O_WRONLY | O_CREAT | O_TRUNC);
    point(2, words[ERRORS], O_WRONLY | O_CREAT | O_TRUNC);
}

/* Wait for the child, and end it when the driver goes away. */
static uint32_t outcome_of(pid_t child) {
    int pidfd = syscall(PIDFD_OPEN, child, 0), status = 0;
    struct pollfd both[2] = {{pidfd, POLLIN, 0}, {0, 0, 0}};
    while (pidfd >= 0 && poll(both, 2, -1) < 0 && errno == EINTR) {}
    if (both[1].revents & (POLLHUP | POLLERR)) kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    kill(-child, SIGKILL); /* processes that the tool has started */
    close(pidfd);
    return status;
}

static void serve(void) {
    free(folder);
    folder = 0;
    if (!can_be_forked()) leave();
    answer(READY);
    for (;;) {
        uint32_t size;
        take(&size, sizeof size);
        char *request = calloc(size + WORDS, 1);
        if (!request) leave();
        take(request, size);
        char *words[WORDS], *at = request;
        for (int i = 0; i < WORDS; i++, at += strlen(at) + 1) words[i] = at;
        pid_t child = fork();
        if (child == 0) {
            become_tool(words);
            return; /* the tool continues as if nothing had happened */
        }
        setpgid(child, child); /* both processes set it, because either may run first */
        uint32_t status = child < 0 ? SIGKILL : outcome_of(child);
        answer(status);
        free(request);
    }
}

static void touches(const char *path) {
    if (!folder || !path || !*path) return;
    size_t length = strlen(path);
    int is_object = length > 2 && !strcmp(path + length - 2, ".o");
    if (*path != '/' || is_object || !strncmp(path, folder, strlen(folder))) serve();
}

/* Remove a variable from the environment and return its value. Shells have their own getenv and unsetenv, which
 * would be called here before they are initialised. */
static const char *remove_variable(const char *name) {
    for (char **at = environ; at && *at; at++) {
        if (strncmp(*at, name, strlen(name))) continue;
        const char *value = *at + strlen(name);
        do at[0] = at[1];
        while (*at++);
        return value;
    }
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    const char *asked = remove_variable("RECOUNT_STOP=");
    if (asked) folder = strdup(asked);
    remove_variable("LD_PRELOAD="); /* what the tool itself starts is not served */
}

/* The calls by which tools look at files. */

static int open_at(int at, const char *path, int flags, int mode) {
    touches(path);
    return syscall(SYS_openat, at, path, flags, mode);
}

static int stat_at(int at, const char *path, void *is, int how) {
    touches(path);
    return syscall(SYS_newfstatat, at, path, is, how);
}

#define WITH_MODE(call)                                                     \
    va_list rest;                                                           \
    va_start(rest, flags);                                                  \
    int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, int) : 0;     \
    va_end(rest);                                                           \
    return call
int open(const char *path, int flags, ...) { WITH_MODE(open_at(AT_FDCWD, path, flags, mode)); }
int open64(const char *path, int flags, ...) { WITH_MODE(open_at(AT_FDCWD, path, flags, mode)); }
int openat(int at, const char *path, int flags, ...) { WITH_MODE(open_at(at, path, flags, mode)); }
int openat64(int at, const char *path, int flags, ...) { WITH_MODE(open_at(at, path, flags, mode)); }
int __open_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __openat_2(int at, const char *path, int flags) { return open_at(at, path, flags, 0); }
int __openat64_2(int at, const char *path, int flags) { return open_at(at, path, flags, 0); }

int stat(const char *path, struct stat *is) { return stat_at(AT_FDCWD, path, is, 0); }
int stat64(const char *path, struct stat64 *is) { return stat_at(AT_FDCWD, path, is, 0); }
int lstat(const char *path, struct stat *is) { return stat_at(AT_FDCWD, path, is, AT_SYMLINK_NOFOLLOW); }
int lstat64(const char *path, struct stat64 *is) { return stat_at(AT_FDCWD, path, is, AT_SYMLINK_NOFOLLOW); }
int fstatat(int at, const char *path, struct stat *is, int how) { return stat_at(at, path, is, how); }
int fstatat64(int at, const char *path, struct stat64 *is, int how) { return stat_at(at, path, is, how); }
/* The same before glibc 2.33. */
#define OLD int version, const char *path
int __xstat(OLD, struct stat *is) { return version * 0 + stat_at(AT_FDCWD, path, is, 0); }
int __xstat64(OLD, struct stat64 *is) { return version * 0 + stat_at(AT_FDCWD, path, is, 0); }
int __lxstat(OLD, struct stat *is) { return version * 0 + stat_at(AT_FDCWD, path, is, AT_SYMLINK_NOFOLLOW); }
int __lxstat64(OLD, struct stat64 *is) { return version * 0 + stat_at(AT_FDCWD, path, is, AT_SYMLINK_NOFOLLOW); }

int access(const char *path, int how) {
    touches(path);
    return syscall(SYS_faccessat, AT_FDCWD, path, how);
}

static FILE *stream(const char *path, const char *mode) {
    int plus = strchr(mode, '+') != 0;
    int flags = *mode == 'r' ? 0 : O_CREAT | (*mode == 'a' ? O_APPEND : O_TRUNC);
    flags |= plus ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
    int file = open_at(AT_FDCWD, path, flags | (strchr(mode, 'e') ? O_CLOEXEC : 0), 0666);
    return file < 0 ? 0 : fdopen(file, mode);
}
FILE *fopen(const char *path, const char *mode) { return stream(path, mode); }
FILE *fopen64(const char *path, const char *mode) { return stream(path, mode); }
