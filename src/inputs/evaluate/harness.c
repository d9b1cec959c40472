/* The layer between the search and the function under test, inside the evaluating process. It records the reports of the
   probes, starts every run from the same memory, and turns whatever the function does into a code, so that the search
   continues. It is linked into one shared object with the probed source; see inputs/evaluate/mod.rs. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOG = 8192, STEPS = 200000, AREAS = 16, AREA = 1 << 16, PAGE = 4096, SEGMENTS = 8, TEXT = 1 << 16 };
/* The addresses of the arrays of the function under test: so far from each other and from everything else that no 32-bit
   index leads from one into another. */
#define SOMEWHERE ((char *)0x200000000000)
#define APART ((size_t)1 << 36)
/* A tick in microseconds; the ticks of a run, and the ticks of a run after PATIENT runs have timed out. */
enum { TICK = 10000, FIRST = 50, LATER = 5, PATIENT = 8 };
enum { RETURNED = 0, EXITED = 1, SIGNALLED = 2, ENDLESS = 3 };

struct visit {
    uint32_t probe;
    uint8_t kind, outcome, left_type, right_type;
    uint64_t left, right;
};

/* In shared memory, so that the parent sees the results of a forked run. library.rs reads the first fields. */
struct shared {
    uint64_t count, result, steps;
    uint32_t ended;
    volatile sig_atomic_t running, shadowing, ticks;
    volatile sig_atomic_t timeouts;
    int argc;
    char *argv[64];
    char text[TEXT];
    uint32_t standard_input, standard_input_length;
    sigjmp_buf out;
    jmp_buf shadow;
    struct { char *at; size_t length; } areas[AREAS];
    struct { char *at, *copy; size_t length; } segments[SEGMENTS];
    int segment_count, forks;
    uint32_t conditions;
    uint8_t *later;
    int64_t *bounds;
    struct visit log[LOG];
};

static struct shared *S;
extern void (*const recount_entry)(const unsigned long long *);

static void leave(unsigned kind, int with) __attribute__((noreturn));
static void leave(unsigned kind, int with)
{
    S->ended = kind | (unsigned)with << 8;
    S->running = 0;
    siglongjmp(S->out, 1);
}

int recount_visit(unsigned probe, int kind, int left_type, int right_type, unsigned long long left,
                  unsigned long long right, int outcome)
{
    struct shared *s = S;
    if (!s || !s->running)
        return outcome;
    if (s->count < LOG) {
        struct visit *v = &s->log[s->count++];
        v->probe = probe;
        v->kind = (uint8_t)kind;
        v->outcome = outcome != 0;
        v->left_type = (uint8_t)left_type;
        v->right_type = (uint8_t)right_type;
        v->left = left;
        v->right = right;
    } else if (kind == 0) {
        s->later[probe] |= outcome ? 2 : 1;
    }
    if (++s->steps > STEPS)
        leave(ENDLESS, 0);
    return outcome;
}

void recount_switch(unsigned probe, unsigned first, unsigned cases, const long long *bounds, long long value)
{
    if (S && S->running) {
        memcpy(S->bounds + 2 * first, bounds, cases * 2 * sizeof *bounds);
        recount_visit(probe, 4, 2, 2, (unsigned long long)value, 0, 0);
    }
}

void *recount_shadow_begin(void)
{
    S->shadowing = 1;
    return &S->shadow;
}

void recount_shadow_end(void)
{
    S->shadowing = 0;
}

void *recount_array(int k, unsigned long bytes)
{
    if (k >= AREAS || bytes > AREA)
        leave(SIGNALLED, SIGSEGV);
    /* Unmap the pages before the array. With forks, each child unmaps its own copy. */
    size_t fits = (bytes + PAGE - 1) / PAGE * PAGE;
    if (fits && S->areas[k].length != fits) {
        munmap(S->areas[k].at, AREA - fits);
        if (!S->forks)
            S->areas[k].length = fits;
    }
    return S->areas[k].at + AREA - bytes;
}

void recount_result(const char *label, unsigned long long bits)
{
    if (strcmp(label, "return") == 0)
        S->result = bits;
}

/* Calls that would end or stop the process end the run. */
void __wrap_exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));
void __wrap_abort(void) __attribute__((noreturn));
void __wrap___assert_fail(void) __attribute__((noreturn));
void __wrap_exit(int status) { leave(EXITED, status & 255); }
void __wrap__exit(int status) { leave(EXITED, status & 255); }
void __wrap_abort(void) { leave(SIGNALLED, SIGABRT); }
void __wrap___assert_fail(void) { leave(SIGNALLED, SIGABRT); }
unsigned __wrap_sleep(unsigned seconds) { (void)seconds; leave(ENDLESS, 0); }
int __wrap_usleep(unsigned time) { (void)time; leave(ENDLESS, 0); }
int __wrap_nanosleep(const void *time, void *left) { (void)time, (void)left; leave(ENDLESS, 0); }
int __wrap_pause(void) { leave(ENDLESS, 0); }
void recount_exit(int status) { leave(EXITED, status & 255); }

static void on_signal(int number)
{
    if (S->shadowing) {
        S->shadowing = 0;
        longjmp(S->shadow, 1);
    }
    /* The C library aborts if its own memory is corrupt; then the process cannot continue. */
    if (S->running && !(number == SIGABRT && !S->forks))
        leave(SIGNALLED, number);
    signal(number, SIG_DFL);
    raise(number);
}

static int ticks_left(void)
{
    return S->timeouts < PATIENT ? FIRST : LATER;
}

static void on_tick(int number)
{
    (void)number;
    if (S->running && ++S->ticks > ticks_left()) {
        S->timeouts++;
        leave(ENDLESS, 0);
    }
}

static int remember(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    int ours = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        ours |= part->p_type == PT_LOAD && (uintptr_t)&S >= start && (uintptr_t)&S < start + part->p_memsz;
    }
    for (int i = 0; ours && i < info->dlpi_phnum && S->segment_count < SEGMENTS; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        S->segments[S->segment_count].at = (char *)(info->dlpi_addr + part->p_vaddr);
        S->segments[S->segment_count].length = part->p_memsz;
        S->segment_count++;
    }
    return ours;
}

static void *pages_near(void *hint, size_t bytes)
{
    void *at = mmap(hint, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? 0 : at;
}

static void *pages(size_t bytes)
{
    return pages_near(0, bytes);
}

/* Initialise; returns the shared memory, or null if there is not enough memory. */
struct shared *recount_open(unsigned conditions, unsigned bounds, int forks)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE};
    struct shared *s = pages(sizeof *s);
    if (!s)
        return 0;
    s->later = pages(conditions + 1);
    s->bounds = pages((bounds + 1) * 2 * sizeof *s->bounds);
    s->conditions = conditions;
    s->forks = forks;
    char *stack = pages(1 << 16);
    if (!s->later || !s->bounds || !stack)
        return 0;
    for (int k = 0; k < AREAS; k++) {
        s->areas[k].at = pages_near(SOMEWHERE + k * APART, AREA + PAGE);
        if (!s->areas[k].at)
            return 0;
        mprotect(s->areas[k].at + AREA, PAGE, PROT_NONE);
    }
    S = s;
    stack_t alternate = {.ss_sp = stack, .ss_size = 1 << 16};
    sigaltstack(&alternate, 0);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    for (unsigned i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &action, 0);
    action.sa_handler = on_tick;
    action.sa_flags |= SA_RESTART;
    sigaction(SIGALRM, &action, 0);
    dl_iterate_phdr(remember, 0);
    for (int i = 0; i < s->segment_count; i++) {
        s->segments[i].copy = pages(s->segments[i].length);
        if (!s->segments[i].copy)
            return 0;
        memcpy(s->segments[i].copy, s->segments[i].at, s->segments[i].length);
    }
    /* A forked run has its own timer; here the signal would act on the flags of the child that is running. */
    struct itimerval timer = {{0, TICK}, {0, TICK}};
    if (!forks)
        setitimer(ITIMER_REAL, &timer, 0);
    return s;
}

static void run(const unsigned long long *cells)
{
    /* After a jump, nothing in this frame is used, because the function may have overwritten it. */
    if (sigsetjmp(S->out, 0) == 0) {
        S->running = 1;
        recount_entry(cells);
        S->running = 0;
        S->ended = RETURNED;
    }
    S->shadowing = 0;
}

static void standard_input(void)
{
    int file = (int)syscall(SYS_memfd_create, "input", 0);
    if (file < 0)
        return;
    const char *text = S->text + S->standard_input;
    if (write(file, text, S->standard_input_length) < 0)
        return;
    lseek(file, 0, SEEK_SET);
    dup2(file, 0);
    close(file);
}

/* Run in a separate process, which the function may break. */
static void run_forked(const unsigned long long *cells)
{
    struct shared *s = S;
    s->ended = ~0u;
    pid_t child = fork();
    if (child == 0) {
        struct itimerval timer = {{0, TICK}, {0, TICK}};
        setpgid(0, 0);
        setitimer(ITIMER_REAL, &timer, 0);
        standard_input();
        run(cells);
        syscall(SYS_exit_group, 0);
    }
    int status = 0, handle = (int)syscall(SYS_pidfd_open, child, 0);
    struct pollfd wait = {.fd = handle, .events = POLLIN};
    int waited;
    long left = 2L * ticks_left() * TICK / 1000 + 100;
    do
        waited = poll(&wait, 1, (int)(left -= 20));
    while (waited < 0 && errno == EINTR && left > 20);
    if (waited <= 0)
        s->ended = ENDLESS;
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    close(handle);
    if (s->ended == ~0u)
        s->ended = WIFSIGNALED(status) ? SIGNALLED | (unsigned)WTERMSIG(status) << 8
                                       : EXITED | (unsigned)WEXITSTATUS(status) << 8;
    s->running = 0;
}

/* One run; its results are in the shared memory. */
void recount_run(const unsigned long long *cells)
{
    struct shared *s = S;
    if (s->count == LOG)
        memset(s->later, 0, s->conditions);
    s->count = s->result = s->steps = 0;
    s->ticks = 0;
    if (s->forks) {
        run_forked(cells);
        return;
    }
    for (int i = 0; i < s->segment_count; i++)
        memcpy(s->segments[i].at, s->segments[i].copy, s->segments[i].length);
    errno = 0;
    run(cells);
}

/* Set the arguments and the standard input of the next run: strings that each end with a NUL, then the input. */
void recount_set_text(int argc, const char *text, unsigned length, unsigned input)
{
    struct shared *s = S;
    if (length > TEXT - 1)
        length = TEXT - 1;
    memcpy(s->text, text, length);
    s->text[length] = 0;
    char *at = s->text;
    s->argc = argc < 63 ? argc : 63;
    for (int i = 0; i < s->argc; i++) {
        s->argv[i] = at;
        at += strlen(at) + 1;
    }
    s->argv[s->argc] = 0;
    s->standard_input = input < length ? input : length;
    s->standard_input_length = length - s->standard_input;
}

int recount_argc(void) { return S->argc; }
char **recount_argv(void) { return S->argv; }

/* The addresses of the results of a run. */
const void *recount_shared(int what)
{
    return what == 0 ? (const void *)S->log : what == 1 ? (const void *)S->later : (const void *)S->bounds;
}
