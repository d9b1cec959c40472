/* Linked into every program and shared library of a package that recount audits. It maps the counters of the units in
   this file (section recount_counters; none in the build with coverage) onto a file of the process, so that none is lost
   however the process ends, and writes down how the process began and ended. RECOUNT_FOLDER is the folder for these
   files. Only system calls are used where the program may define a function of the same name. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef unsigned long long word;

enum { PAGE = 4096, WORDS = PAGE / 8 };

/* A system call takes words, also where C has smaller types. */
#define CALL(name, a, b, c, d, e, f) syscall(name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* The words of the header: who the process is, how it ended, and what it had written when it began here, when its exit
   handlers ran, and of that by this file, in bytes. */
enum { PID, PARENT, IS_FORKED, HAS_ENDED, HAS_STATUS, STATUS, AT_BEGIN, HAS_WRITTEN, AT_END, OWN, COMMAND };

struct unit { const char *name; word *counters; unsigned long number; };

extern word recount_first[] __asm__("__start_recount_counters") __attribute__((visibility("hidden")));
extern word recount_last[] __asm__("__stop_recount_counters") __attribute__((visibility("hidden")));
extern const struct unit *const recount_units[] __asm__("__start_recount_units")
    __attribute__((visibility("hidden"), weak));
extern const struct unit *const recount_units_end[] __asm__("__stop_recount_units")
    __attribute__((visibility("hidden"), weak));

static word header[WORDS] __attribute__((section("recount_counters"), aligned(PAGE)));

static word own_bytes;

static void write_own(long file, const void *from, long bytes, long at)
{
    CALL(SYS_pwrite64, file, from, bytes, at, 0, 0);
    own_bytes += bytes;
}

/* The bytes that this thread has written so far, by all system calls; -1 if the kernel does not count them. The number for the whole
   process contains the children that it waited for, with their profiles. */
static word written(void)
{
    static const char key[] = "wchar: ";
    char text[512];
    word bytes = 0;
    long file = CALL(SYS_openat, AT_FDCWD, "/proc/thread-self/io", O_RDONLY | O_CLOEXEC, 0, 0, 0), length, at, same = 0;
    if (file < 0)
        return -1;
    length = CALL(SYS_read, file, text, sizeof text, 0, 0, 0);
    CALL(SYS_close, file, 0, 0, 0, 0, 0);
    for (at = 0; at < length && same < (long)sizeof key - 1; at++)
        same = text[at] == key[same] ? same + 1 : text[at] == key[0];
    if (same < (long)sizeof key - 1)
        return -1;
    for (; at < length && text[at] >= '0' && text[at] <= '9'; at++)
        bytes = 10 * bytes + (text[at] - '0');
    return bytes;
}

static long copy(char *to, const char *from)
{
    long at = 0;
    for (; from[at]; at++)
        to[at] = from[at];
    return at;
}

static long digits(char *to, unsigned long number)
{
    char turned[24];
    long length = 0, at;
    do
        turned[length++] = '0' + number % 10;
    while (number /= 10);
    for (at = 0; at < length; at++)
        to[at] = turned[length - 1 - at];
    return length;
}

/* Create a file that every user can write to. */
static long create(const char *path, int flags)
{
    long file = CALL(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0666, 0, 0);
    if (file >= 0)
        CALL(SYS_fchmod, file, 0666, 0, 0, 0, 0);
    return file;
}

/* Where each unit has its counters in the files of processes: the same for all, so one of them writes it down. */
static void list_units(void)
{
    static const char path[] = RECOUNT_FOLDER "/layout";
    const struct unit *const *unit;
    char line[4400];
    long file = create(path, O_APPEND), length;
    if (file < 0)
        return;
    length = digits(line, recount_last - recount_first);
    line[length++] = ' ';
    length += digits(line + length, header - recount_first);
    line[length++] = '\n';
    write_own(file, line, length, 0);
    for (unit = recount_units; unit < recount_units_end; unit++) {
        length = digits(line, (*unit)->counters - recount_first);
        line[length++] = ' ';
        length += digits(line + length, (*unit)->number);
        line[length++] = ' ';
        length += copy(line + length, (*unit)->name);
        line[length++] = '\n';
        write_own(file, line, length, 0);
    }
    CALL(SYS_close, file, 0, 0, 0, 0, 0);
}

/* Map the counters onto a new file, whose second half has those that a forked process inherited. */
static void map(int is_forked)
{
    static char path[sizeof RECOUNT_FOLDER + 64];
    int saved = errno;
    word *own = recount_first, first = written();
    long bytes = (recount_last - recount_first) * 8, pid = CALL(SYS_getpid, 0, 0, 0, 0, 0, 0), file, turn, at, length;
    for (turn = 0; turn < 1000; turn++) {
        length = copy(path, RECOUNT_FOLDER "/process.");
        length += digits(path + length, pid);
        path[length++] = '.';
        length += digits(path + length, turn);
        path[length] = 0;
        file = create(path, 0);
        if (file >= 0 || errno != EEXIST)
            break;
    }
    if (file < 0) {
        errno = saved;
        return;
    }
    CALL(SYS_ftruncate, file, 2 * bytes, 0, 0, 0, 0);
    /* Zeros need no space, so only pages with counts are written. */
    for (at = 0; at < bytes / 8; at += WORDS) {
        for (turn = 0; turn < WORDS && !own[at + turn]; turn++)
            ;
        if (turn < WORDS)
            write_own(file, own + at, PAGE, at * 8 + (is_forked ? bytes : 0));
    }
    CALL(SYS_mmap, own, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    CALL(SYS_close, file, 0, 0, 0, 0, 0);
    header[PID] = pid;
    header[PARENT] = CALL(SYS_getppid, 0, 0, 0, 0, 0, 0);
    header[IS_FORKED] = is_forked;
    header[AT_BEGIN] = first;
    header[OWN] = own_bytes;
    file = CALL(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0, 0, 0);
    if (file >= 0) {
        CALL(SYS_read, file, header + COMMAND, PAGE - 8 * COMMAND - 8, 0, 0, 0);
        CALL(SYS_close, file, 0, 0, 0, 0, 0);
    }
    errno = saved;
}

static void forked(void)
{
    own_bytes = 0;
    map(1);
}

/* An exit handler that runs before those that write profiles. What is still in the buffer is written now, as `exit` does soon. */
static FILE *output;

static void measure(void)
{
    if (!ftrylockfile(output)) {
        fflush_unlocked(output);
        funlockfile(output);
    }
    header[AT_END] = written();
    header[HAS_WRITTEN] = 1;
}

/* Clang's runtime writes the profile in an exit handler that it registers later, and does not register twice. */
extern int __llvm_profile_register_write_file_atexit(void) __attribute__((weak));

#ifndef RECOUNT_SHARED
/* Counts that depend on the CPU time, such as those of progress shown every 0.1 s, differ between the two builds, since one
   of them is slower. So the CPU time is larger and runs faster in the run of the tests in which addresses are random, and
   these counts vary from run to run. It is made of the time since the program began there: in a virtual machine, the CPU
   time of a short process can be 0. A program may define functions of the same names. */
enum { NANOSECONDS = 1000000000, FASTER = 1000 };

static word monotonic(void)
{
    struct timespec now = { 0, 0 };
    CALL(SYS_clock_gettime, CLOCK_MONOTONIC, &now, 0, 0, 0, 0);
    return (word)now.tv_sec * NANOSECONDS + now.tv_nsec;
}

static word begun;

static int read_clock(clockid_t id, struct timespec *at)
{
    int saved = errno, is_cpu = id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID;
    if (CALL(SYS_clock_gettime, id, at, 0, 0, 0, 0))
        return -1;
    if (is_cpu && !(CALL(SYS_personality, 0xffffffff, 0, 0, 0, 0, 0) & ADDR_NO_RANDOMIZE)) {
        word time = NANOSECONDS + (monotonic() - begun) * FASTER;
        at->tv_sec = time / NANOSECONDS;
        at->tv_nsec = time % NANOSECONDS;
    }
    errno = saved;
    return 0;
}

__attribute__((weak)) int clock_gettime(clockid_t id, struct timespec *at)
{
    return read_clock(id, at);
}

__attribute__((weak)) clock_t clock(void)
{
    struct timespec at = { 0, 0 };
    read_clock(CLOCK_PROCESS_CPUTIME_ID, &at);
    return at.tv_sec * CLOCKS_PER_SEC + at.tv_nsec / (NANOSECONDS / CLOCKS_PER_SEC);
}

static void ended(int status, void *nothing)
{
    (void)nothing;
    measure();
    header[STATUS] = status;
    header[HAS_STATUS] = 1;
}
#endif

__attribute__((constructor(101))) static void begin(void)
{
    int saved = errno;
    map(0);
    list_units();
    header[OWN] = own_bytes;
    pthread_atfork(0, 0, forked);
    output = stdout;
    if (__llvm_profile_register_write_file_atexit)
        __llvm_profile_register_write_file_atexit();
#ifdef RECOUNT_SHARED
    atexit(measure);
#else
    begun = monotonic();
    on_exit(ended, 0);
#endif
    errno = saved;
}

__attribute__((destructor(101))) static void end(void)
{
    header[HAS_ENDED] = 1;
}
