//! What the profile runtime does to the counts of the program that it is a part of.

use super::facts::Facts;
use crate::syntax::InstrumentedFunction;

/// Words of a program with code that may run after the runtime wrote the profile, in an exit handler: handlers and destructors
/// that run later, and threads that still run then.
const LATE_CODE: [&str; 9] = [
    "destructor",
    "atexit",
    "on_exit",
    "__cxa_atexit",
    "quick_exit",
    "fini_array",
    "pthread_create",
    "thrd_create",
    "sigaction",
];

/// Functions of the C library that the runtime calls, itself or through the library (InstrProfilingFile.c, InstrProfilingUtil.c and
/// InstrProfilingWriter.c in compiler-rt/lib/profile). A program that defines one is called by the runtime.
const RUNTIME_CALLS: [&str; 47] = [
    "abort",
    "atexit",
    "calloc",
    "close",
    "exit",
    "fclose",
    "fcntl",
    "fdopen",
    "fflush",
    "fileno",
    "flock",
    "fopen",
    "fprintf",
    "fread",
    "free",
    "fseek",
    "fsync",
    "ftell",
    "ftruncate",
    "fwrite",
    "getenv",
    "gethostname",
    "getpid",
    "lockf",
    "lseek",
    "madvise",
    "malloc",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "mkdir",
    "mmap",
    "munmap",
    "open",
    "printf",
    "read",
    "realloc",
    "setenv",
    "snprintf",
    "strchr",
    "strcmp",
    "strcpy",
    "strdup",
    "strlen",
    "strncmp",
    "write",
];

impl Facts<'_> {
    /// Whether code of the program may run after the profile was written.
    pub(super) fn has_late_code(&self) -> bool {
        LATE_CODE.iter().any(|word| self.program.mentions(word))
    }
}

/// Whether the runtime may call `function`, which takes the place of one of the C library.
pub(super) fn is_called_by_runtime(function: &InstrumentedFunction) -> bool {
    function.is_external && RUNTIME_CALLS.contains(&function.name.as_str())
}
