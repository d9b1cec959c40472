//! Flags of a compile command: the program's own, and those that old C needs.
//!
//! Implicit `int`, implicit declarations and mixed pointer types are errors since gcc 14 and clang 16. A program
//! is compiled without further flags first, and with those for old C only if that fails: a new program
//! never gets them.

use super::attempt::{Attempt, Stop};
use super::request::Request;
use crate::model::{Family, Metric, Outcome};
use crate::sys::shell_word;

const GCC: [&[&str]; 3] = [&[], &["-std=gnu89"], &["-std=gnu17", "-fpermissive"]];

const CLANG: [&[&str]; 3] = [
    &[],
    &["-std=gnu89", "-Wno-int-conversion", "-Wno-incompatible-pointer-types"],
    &[
        "-std=gnu17",
        "-Wno-implicit-int",
        "-Wno-implicit-function-declaration",
        "-Wno-int-conversion",
        "-Wno-incompatible-pointer-types",
        "-Wno-return-type",
        "-fgnu89-inline",
    ],
];

/// The flags of each dialect, from new C to old C.
fn dialects(family: Family) -> &'static [&'static [&'static str]] {
    match family {
        Family::Gcov => &GCC,
        Family::LlvmCov => &CLANG,
    }
}

/// Build in the dialect of the request, or in the first one that the compiler accepts; its index.
pub fn build(
    family: Family,
    request: &Request<'_>,
    mut attempt: impl FnMut(Vec<String>) -> Attempt<()>,
) -> Attempt<usize> {
    let all = dialects(family);
    let mut last = Outcome::DoesNotCompile { reason: "no such dialect".into() };
    for index in request.dialect.map_or(0..all.len(), |only| only..only + 1) {
        match attempt(compile_flags(family, request, index)) {
            Ok(()) => return Ok(index),
            Err(Stop::Outcome(outcome @ Outcome::DoesNotCompile { .. })) => last = outcome,
            Err(stop) => return Err(stop),
        }
    }
    Err(last.into())
}

/// Every flag that `request` is compiled with in a dialect, except the profiler's own.
pub fn compile_flags(family: Family, request: &Request<'_>, dialect: usize) -> Vec<String> {
    [dialect_flags(family, dialect), program_flags(request)].concat()
}

fn dialect_flags(family: Family, dialect: usize) -> Vec<String> {
    let flags = dialects(family).get(dialect).copied().unwrap_or_default();
    flags.iter().map(ToString::to_string).collect()
}

/// The flag with which gcc counts prime paths.
const PATH_FLAG: &str = "-fpath-coverage";

/// The flags with which each family counts conditions and paths, each with the first major version that has it. A function with
/// many paths makes a report of many megabytes.
pub const CONDITION_FLAGS: [(Family, &str, u32); 4] = [
    (Family::Gcov, "-fcondition-coverage", 14),
    (Family::Gcov, PATH_FLAG, 15),
    (Family::LlvmCov, "-fcoverage-mcdc", 18),
    (Family::Gcov, "-fpath-coverage-limit=1000", 15),
];

/// The flags with which version `major` of `family` counts conditions and paths, as far as it can.
pub fn condition_flags(family: Family, major: u32) -> impl Iterator<Item = &'static str> {
    let has = move |(of, _, from): &&(Family, &str, u32)| *of == family && *from <= major;
    CONDITION_FLAGS.iter().filter(has).map(|(_, flag, _)| *flag)
}

/// The first major version of `family` that counts conditions, if `major` is an earlier one.
pub fn first_with_conditions(family: Family, major: u32) -> Option<u32> {
    let versions = CONDITION_FLAGS.iter().filter(|(of, ..)| *of == family).map(|(.., from)| *from);
    versions.min().filter(|first| major < *first)
}

/// Whether version `major` of `family` can count prime paths.
pub fn can_count_paths(family: Family, major: u32) -> bool {
    condition_flags(family, major).any(|flag| flag == PATH_FLAG)
}

/// Whether gcc counts prime paths with these `flags`.
pub fn counts_paths(flags: &[String]) -> bool {
    flags.iter().any(|flag| flag == PATH_FLAG)
}

/// Whether a profiler counts conditions with these `flags`.
pub fn counts_conditions(flags: &[String]) -> bool {
    flags.iter().any(|flag| !flag.starts_with(PATH_FLAG) && is_condition_flag(flag))
}

pub fn is_condition_flag(given: &str) -> bool {
    CONDITION_FLAGS.iter().any(|(_, flag, _)| given == *flag)
}

/// Whether a report needs `flag` only for conditions or paths, and not for counts of `metric`.
pub fn is_of_other_metric(flag: &str, metric: Metric) -> bool {
    let is_of_paths = flag.starts_with(PATH_FLAG);
    let is_needed = match metric {
        Metric::Path => is_of_paths,
        Metric::Condition | Metric::Mcdc => !is_of_paths,
        Metric::Line | Metric::Function | Metric::Branch | Metric::Region => false,
    };
    is_condition_flag(flag) && !is_needed
}

/// Flags that turn coverage on, or say where the profile is written and which names the report has. recount turns coverage on
/// where it is needed, and finds its file by its name. It compares the code in objects, which link-time optimisation puts off.
const LEFT_OUT: [&str; 15] = [
    "--coverage",
    "-coverage",
    "-fcoverage-compilation-dir=",
    "-fcoverage-mapping",
    "-ffile-compilation-dir=",
    "-flto",
    "-fprofile-abs-path",
    "-fprofile-arcs",
    "-fprofile-dir=",
    "-fprofile-generate",
    "-fprofile-info-section",
    "-fprofile-instr-generate",
    "-fprofile-note=",
    "-fprofile-prefix-path=",
    "-ftest-coverage",
];

fn is_left_out(flag: &str) -> bool {
    LEFT_OUT.iter().any(|own| {
        if own.ends_with('=') { flag.starts_with(own) } else { flag.split('=').next() == Some(own) }
    })
}

/// Whether gcc makes branches with these `flags` that are no conditions of the source: of calls that may throw, of checks.
pub fn makes_hidden_tests(flags: &[String]) -> bool {
    let kinds = ["-fexceptions", "-fnon-call-exceptions", "-fsanitize", "-finstrument-functions", "-ftrapv"];
    flags.iter().any(|flag| kinds.iter().any(|kind| flag.starts_with(kind)))
}

/// Flags that the program itself needs, by its sidecar or its text.
fn program_flags(request: &Request<'_>) -> Vec<String> {
    let mut flags: Vec<String> = request.flags.iter().filter(|flag| !is_left_out(flag)).cloned().collect();
    if let Some(folder) = request.folder.filter(|_| request.source.contains("#include \"")) {
        flags.push(format!("-I{folder}"));
    }
    // Threads race on counters unless they are counted atomically.
    if has_threads(request.source, request.flags) && update_method(request.flags).is_none() {
        flags.push(format!("{UPDATE}atomic"));
    }
    flags
}

/// The flag that says how counters are updated.
const UPDATE: &str = "-fprofile-update=";

/// Whether `flag` is code that is linked: an object, an archive or a library.
fn is_linked(flag: &str) -> bool {
    flag.starts_with("-l") || [".a", ".o", ".so"].iter().any(|ending| flag.ends_with(ending))
}

/// The flags that are linked, and the others.
fn divided(flags: Vec<String>) -> (Vec<String>, Vec<String>) {
    flags.into_iter().partition(|flag| is_linked(flag))
}

/// The arguments of a command that compiles and links `source` with `flags`: what is linked follows what needs it.
pub fn linking(front: &[&str], flags: Vec<String>, source: &[&str]) -> Vec<String> {
    let (linked, flags) = divided(flags);
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    [words(front), flags, words(source), linked, words(&["-lm"])].concat()
}

/// Whether `flags` link code of the program that is compiled already.
pub fn links_other_code(flags: &[String]) -> bool {
    let is_of_system = |flag: &str| ["-lm", "-lpthread", "-ldl", "-lrt"].contains(&flag);
    flags.iter().any(|flag| is_linked(flag) && !is_of_system(flag))
}

/// How counters are updated, if `flags` say that.
fn update_method(flags: &[String]) -> Option<&str> {
    flags.iter().rev().find_map(|flag| flag.strip_prefix(UPDATE))
}

/// Whether threads of a program with these `flags` may race on the profiler's counters.
pub fn may_race(source: &str, flags: &[String]) -> bool {
    has_threads(source, flags) && update_method(flags) == Some("single")
}

/// Whether a program with these `flags` starts threads.
pub fn has_threads(source: &str, flags: &[String]) -> bool {
    starts_threads(source) || flags.iter().any(|flag| flag == "-pthread")
}

/// Whether `source` calls a function that starts a thread.
pub fn starts_threads(source: &str) -> bool {
    source.contains("pthread_create") || source.contains("thrd_create")
}

/// The same flags in commands for people, each with a space before it: those before the source, and what is linked after it.
pub fn shown(family: Family, request: &Request<'_>, dialect: usize) -> (String, String) {
    let (linked, flags) = divided(compile_flags(family, request, dialect));
    (spaced(&flags), spaced(&linked))
}

/// Each word, quoted where a shell needs it, with a space before it.
pub fn spaced(words: &[String]) -> String {
    words.iter().map(|word| format!(" {}", shell_word(word))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Input;

    #[test]
    fn the_flags_that_recount_adds_are_shown() {
        let (input, flags) = (Input::default(), ["-DTEXT=\"a b\"", "my.a"].map(String::from));
        let source = "#include \"own.h\"\nint main(void) { pthread_create(0, 0, f, 0); }\n";
        let folder = Some("/my programs".into());
        let request = Request { folder, flags: &flags, ..Request::new(source, &input) };
        let expected = " -std=gnu89 '-DTEXT=\"a b\"' '-I/my programs' -fprofile-update=atomic";
        assert_eq!(shown(Family::Gcov, &request, 1), (expected.into(), " my.a".into()));
        let flags = ["-fprofile-update=single".to_string()];
        let single = Request { flags: &flags, ..request };
        assert_eq!(shown(Family::Gcov, &single, 0).0, " -fprofile-update=single '-I/my programs'");
        assert!(may_race(source, &flags) && !may_race(source, &[]) && !may_race("", &flags));
        let own =
            ["-fprofile-abs-path", "-fprofile-instr-generate=x", "-fcoverage-compilation-dir=/y", "-DA"];
        let own = own.map(String::from);
        let own = Request { folder: None, flags: &own, ..Request::new("", &input) };
        assert_eq!(shown(Family::LlvmCov, &own, 0), (" -DA".into(), String::new()));
    }
}
