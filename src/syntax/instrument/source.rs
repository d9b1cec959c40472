//! The instrumented program as text: with its counters, and with them compiled away.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::super::points::{Counter, Instrumented};
use crate::model::Family;

/// The name of the array of counters.
pub const COUNTERS: &str = "recount_truth";

/// What the second label of a statement begins with, by which jumps name it.
pub const LABEL: &str = "recount_label_";

/// The name of the function that increments the counters in the array to which its argument points.
const COMPLETE: &str = "recount_complete";

/// What counts by `counter` that a value is evaluated and its scope left, up to a closing brace: a call in it may not return.
pub(super) fn on_return(counter: Counter) -> String {
    format!(
        "{{unsigned long long*const recount_completed[]__attribute__((cleanup({COMPLETE})))={{&{COUNTERS}[{counter}],0}};"
    )
}

/// What counts by `counter` that the integer between them is evaluated.
pub(super) fn on_value(counter: Counter) -> [String; 2] {
    let before = "(__extension__({__auto_type recount_value=+".to_string();
    [before, format!(";{COUNTERS}[{counter}]++;recount_value;}}))")]
}

/// An increment of a counter.
static INCREMENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"({COUNTERS}\[[^\]]*\])\+\+")).expect("a constant"));

/// The same for a program with threads; 0 is the relaxed order.
const ATOMIC: &str = "__atomic_fetch_add(&$1, 1, 0)";

/// How much of the instrumentation remains where the counters are compiled away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncounted {
    /// Only the braces and parentheses that enclose counted code. Compilers generate the same code for it and for the
    /// program without any optimisation, unless the parser gave a statement or an expression the wrong extent.
    Shape,
    /// Everything, with `(void)0` in place of each increment, and `!!` where a test became 1 or 0. Optimisation makes
    /// it the same code as the program.
    Values,
    /// The same without the comma before code that is counted, and without the vectors of decisions. `(n++, C)` is `C` but for
    /// arrays and null pointers, which are not counted that way, and compilers generate other code for `a && b` after a comma.
    /// A vector is a number of ours, like a counter, and the decision that it encloses is 1 or 0 without it.
    Tests,
}

impl Instrumented {
    /// The text to compile, preprocessed; the program writes its counters to the file `output`. `has_threads` makes the
    /// increments atomic. If the program calls the runtime of `family`, ours takes its place.
    pub fn source(&self, output: &str, has_threads: bool, family: Family) -> String {
        let counters = self.counters as usize;
        let words = block_words(counters);
        let array =
            format!("static unsigned long long {COUNTERS}[{words}] __attribute__((aligned({PAGE})));\n");
        let program = array + &self.counting(has_threads) + &runtime(output, counters, family);
        if controls_profile(&self.text) {
            program + &profile_control(family, counters, &self.text)
        } else {
            program
        }
    }

    /// The text that increments its counters, without the declaration of their array, [`COUNTERS`]. `has_threads` makes the
    /// increments atomic.
    pub fn counting(&self, has_threads: bool) -> String {
        let render =
            |text| if has_threads { INCREMENT.replace_all(text, ATOMIC) } else { Cow::Borrowed(text) };
        let text = self.with_inserts(|text, _| render(text));
        if !text.contains(COMPLETE) {
            return text;
        }
        let increment = if has_threads { "__atomic_fetch_add(*counter, 1, 0)" } else { "++**counter" };
        let complete = format!(
            "__attribute__((no_instrument_function)) static void {COMPLETE}(const void *counters) {{\n\
             unsigned long long *const *counter;\n\
             for (counter = counters; *counter; counter++) {increment};\n}}\n"
        );
        complete + &text
    }

    /// The preprocessed program before it was instrumented.
    pub fn original(&self) -> &str {
        &self.text
    }

    /// The text with its counters compiled away.
    pub fn without_counters(&self, remains: Uncounted) -> String {
        self.with_inserts(|text, before| Cow::Owned(uncounted(text, before, remains)))
    }

    /// The program with what `rendered` makes of each insertion and the text before it.
    fn with_inserts<'a>(&'a self, rendered: impl Fn(&'a str, &'a str) -> Cow<'a, str>) -> String {
        let own = self.bare_text.as_ref().unwrap_or(&self.text);
        let mut source = String::with_capacity(2 * own.len());
        let mut at = 0;
        for (offset, text) in &self.inserts {
            source.push_str(&own[at..*offset]);
            source.push_str(&rendered(text, &own[..*offset]));
            at = *offset;
        }
        source + &own[at..]
    }
}

/// An insertion after the text `before`, with its counters compiled away. Every step replaces text by text that means the
/// same, so a mistake in an insertion remains.
fn uncounted(text: &str, before: &str, remains: Uncounted) -> String {
    static PATH: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r",recount_path_\d+\+=\d+|\{unsigned recount_path_\d+=0;int recount_is_\d+=|;\(void\)0;recount_is_\d+;\}")
            .expect("a constant")
    });
    static SEVERAL: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\(void\)0(?:,\(void\)0)+").expect("a constant"));
    static COMPLETION: LazyLock<Regex> = LazyLock::new(|| {
        let [of_return, before, after] = [
            r"unsigned long long\*const recount_completed\[\][^;]*;",
            r"__extension__\(\{__auto_type recount_value=\+",
            &format!(r";{COUNTERS}\[\d+\]\+\+;recount_value;\}}\)"),
        ];
        Regex::new(&format!("{of_return}|{before}|{after}")).expect("a constant")
    });
    let text = COMPLETION.replace_all(text, "");
    let values = INCREMENT.replace_all(&text, "(void)0");
    let values = SEVERAL.replace_all(&values, "(void)0");
    // What is 1 or 0 stays 1 or 0.
    let without_tests = |values: &str| values.replace("?((void)0,1):((void)0,0)", "");
    if remains == Uncounted::Values {
        return without_tests(&values);
    }
    let values = without_tests(&PATH.replace_all(&values, ""));
    if remains == Uncounted::Tests {
        return values.replace("((void)0,(", "((");
    }
    if values == "(void)0;" && before.trim_end().ends_with(':') {
        // Compilers treat `case 1: case 2:` in another way than labels with a statement between them.
        return String::new();
    }
    values.replace("(!!(", "((").replace("((void)0,(", "((")
}

/// The words at the end of a block: the process, its parent, whether it was forked, whether its exit handlers ran.
pub const FOOTER: usize = 4;

/// Counters are mapped by pages; no machine has larger ones.
const PAGE: usize = 1 << 16;

/// The number of 64-bit words of a block for `counters` counters, with its footer.
pub fn block_words(counters: usize) -> usize {
    (counters + FOOTER).div_ceil(PAGE / 8) * PAGE / 8
}

/// What the counters need at run time. They are pages of the file `output` that are mapped into the process, so nothing is
/// lost however the process ends. Each process appends two blocks to the file: the counts that it inherited, which are
/// those of its parent at the `fork`, and its own, which begin at 0. A process keeps its blocks when it executes another
/// program. With `-finstrument-functions` these functions call none of the program's. The names are those of glibc;
/// `__asm__` keeps them apart from what the program declares. The program begins with the `errno` of a profiled one: LLVM's
/// runtime leaves that of `mkdir` for the folder of the profile, which exists (`__llvm_profile_initialize_file`).
fn runtime(output: &str, counters: usize, family: Family) -> String {
    const FILE_EXISTS: i32 = 17;
    let errno = match family {
        Family::Gcov => 0,
        Family::LlvmCov => FILE_EXISTS,
    };
    let words = block_words(counters);
    let bytes = words * 8;
    let footer = words - FOOTER;
    format!(
        "\nextern int recount_open(const char *, int, ...) __asm__(\"__open\");\n\
         extern int recount_close(int) __asm__(\"__close\");\n\
         extern long recount_writev(int, const void *, int) __asm__(\"writev\");\n\
         extern long recount_lseek(int, long, int) __asm__(\"__lseek\");\n\
         extern void *recount_mmap(void *, unsigned long, int, int, int, long) __asm__(\"mmap64\");\n\
         extern int recount_getpid(void) __asm__(\"__getpid\");\n\
         extern int recount_getppid(void) __asm__(\"getppid\");\n\
         extern int *recount_errno(void) __asm__(\"__errno_location\");\n\
         extern int recount_atfork(void (*)(void), void (*)(void), void (*)(void), void *) __asm__(\"__register_atfork\");\n\
         static int recount_is_dumped;\n\
         __attribute__((no_instrument_function)) static void recount_map(int is_forked) {{\n\
         struct {{ void *base; unsigned long size; }} twice[2] = {{ {{ {COUNTERS}, {bytes} }}, {{ {COUNTERS}, {bytes} }} }};\n\
         int file = recount_open(\"{output}\", 02102, 0600);\n\
         if (file < 0) return;\n\
         if (recount_writev(file, twice, 2) == 2 * {bytes}L)\n\
         recount_mmap({COUNTERS}, {bytes}, 3, 0x11, file, recount_lseek(file, 0, 1) - {bytes}L);\n\
         recount_close(file);\n\
         if (is_forked) {{ unsigned long at; for (at = 0; at < {words}; at++) {COUNTERS}[at] = 0; }}\n\
         {COUNTERS}[{footer}] = recount_getpid();\n\
         {COUNTERS}[{footer} + 1] = recount_getppid();\n\
         {COUNTERS}[{footer} + 2] = is_forked;\n}}\n\
         __attribute__((no_instrument_function)) static void recount_forked(void) {{ recount_map(1); }}\n\
         __attribute__((constructor(0), no_instrument_function)) static void recount_begin(void) {{\n\
         recount_map(0);\nrecount_atfork(0, 0, recount_forked, 0);\n*recount_errno() = {errno};\n}}\n\
         __attribute__((destructor(0), no_instrument_function)) static void recount_end(void) {{\n\
         {COUNTERS}[{footer} + 3] = !recount_is_dumped;\n}}\n"
    )
}

/// Whether a program may call functions of a profiler's runtime that write its profile or reset it.
fn controls_profile(text: &str) -> bool {
    ["__gcov_", "__llvm_profile_"].iter().any(|prefix| text.contains(prefix))
}

/// The functions of both runtimes that write or reset the profile (GCC's manual, "Profiling and Test Coverage in Freestanding
/// Environments"; Clang's documentation of source-based coverage). What runs before such a call and what runs after it are
/// processes here: the profile has the counts of each, or lacks them. A profile that was dumped is not written at exit. LLVM
/// adds each profile that it writes to the file (InstrProfilingFile.c), so the counts before an earlier one are inherited.
fn profile_control(family: Family, counters: usize, text: &str) -> String {
    let footer = block_words(counters) - FOOTER;
    format!(
        "__attribute__((no_instrument_function)) static void recount_divide(int is_written, int is_dumped, int inherits) {{\n\
         {COUNTERS}[{footer} + 3] = is_written && !recount_is_dumped;\n\
         recount_map(1);\n\
         {COUNTERS}[{footer} + 2] = inherits;\n\
         recount_is_dumped = is_dumped;\n}}\n{}",
        own_functions(family, text)
    )
}

/// The functions of a profiler's runtime, each with its type and what it does here. The linker does not search libgcov, an archive,
/// for a symbol that the program only declares weak, so that is null.
fn own_functions(family: Family, text: &str) -> String {
    let is_null = |name: &str| {
        let is_weak = |declaration: &str| declaration.contains(name) && declaration.contains("weak");
        family == Family::Gcov && text.split(';').any(is_weak)
    };
    let functions: &[(&str, &str, &str)] = match family {
        Family::Gcov => &[
            ("void", "gcov_dump", "recount_divide(1, 1, 0);"),
            ("void", "gcov_reset", "recount_divide(0, 0, 0);"),
        ],
        Family::LlvmCov => &[
            ("int", "llvm_profile_write_file", "recount_divide(1, recount_is_dumped, 1); return 0;"),
            ("int", "llvm_profile_dump", "recount_divide(1, 1, 0); return 0;"),
            ("void", "llvm_profile_reset_counters", "recount_divide(0, recount_is_dumped, 0);"),
        ],
    };
    let of_one = |(kind, name, body): &(&str, &str, &str)| {
        let head = format!("__attribute__((no_instrument_function)) {kind} recount_{name}(void)");
        format!("{head} __asm__(\"__{name}\");\n{head} {{ {body} }}\n")
    };
    functions.iter().filter(|(_, name, _)| !is_null(name)).map(of_one).collect()
}
