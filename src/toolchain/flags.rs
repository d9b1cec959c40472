//! Flags of a compile command: the program's own, and those that old C needs.
//!
//! gcc 14 and clang 16 made errors of implicit `int`, implicit declarations and
//! mixed pointer types. A program is tried as it is, and only where that fails
//! as the old C that it is: a new program never gets these flags.

use anyhow::Result;

use super::{Request, Step};
use crate::model::{Family, Outcome};

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

/// The flags of each dialect, from plain to old.
fn dialects(family: Family) -> &'static [&'static [&'static str]] {
    match family {
        Family::Gcov => &GCC,
        Family::LlvmCov => &CLANG,
    }
}

/// Build in the dialect of the request, or in the first one that is accepted.
/// Gives the dialect's index, or what the compiler said last.
pub fn build(
    family: Family,
    request: &Request<'_>,
    mut attempt: impl FnMut(Vec<String>) -> Step,
) -> Result<std::result::Result<usize, Outcome>> {
    let all = dialects(family);
    let indices = request.dialect.map_or(0..all.len(), |only| only..only + 1);
    let mut last = Outcome::DoesNotCompile { reason: "no such dialect".into() };
    for index in indices {
        match attempt(compile_flags(family, request, index))? {
            Ok(_) => return Ok(Ok(index)),
            Err(outcome @ Outcome::DoesNotCompile { .. }) => last = outcome,
            Err(outcome) => return Ok(Err(outcome)),
        }
    }
    Ok(Err(last))
}

/// Every flag that `request` is compiled with in a dialect, besides the profiler's own.
pub fn compile_flags(family: Family, request: &Request<'_>, dialect: usize) -> Vec<String> {
    let dialect = dialects(family).get(dialect).copied().unwrap_or_default();
    dialect.iter().map(ToString::to_string).chain(program(request)).collect()
}

/// The flag by which each family counts conditions, and the first major version that has it.
pub const CONDITION_FLAGS: [(Family, &str, u32); 2] =
    [(Family::Gcov, "-fcondition-coverage", 14), (Family::LlvmCov, "-fcoverage-mcdc", 18)];

/// The flag by which version `major` of `family` counts conditions, if it can.
pub fn condition_flag(family: Family, major: u32) -> Option<&'static str> {
    CONDITION_FLAGS.iter().find(|(of, _, from)| *of == family && *from <= major).map(|(_, flag, _)| *flag)
}

/// Whether a profiler that is given `flags` counts conditions.
pub fn counts_conditions(flags: &[String]) -> bool {
    flags.iter().any(|flag| is_condition_flag(flag))
}

/// `flags` for a build without coverage.
pub(super) fn without_conditions(flags: Vec<String>) -> Vec<String> {
    flags.into_iter().filter(|flag| !is_condition_flag(flag)).collect()
}

fn is_condition_flag(given: &str) -> bool {
    CONDITION_FLAGS.iter().any(|(_, flag, _)| given == *flag)
}

/// Flags that the program itself asks for, by its sidecar or its text.
fn program(request: &Request<'_>) -> Vec<String> {
    let mut flags = request.flags.to_vec();
    if let Some(folder) = request.folder.filter(|_| request.source.contains("#include \"")) {
        flags.push(format!("-I{folder}"));
    }
    // Threads race on counters unless they are counted atomically.
    if ["pthread_create", "thrd_create"].iter().any(|call| request.source.contains(call)) {
        flags.push("-fprofile-update=atomic".into());
    }
    flags
}

/// ` flag…` for a command that is shown to people.
pub fn shown(family: Family, dialect: usize, flags: &[String]) -> String {
    let dialect = dialects(family).get(dialect).copied().unwrap_or_default();
    let all: Vec<String> = dialect.iter().map(ToString::to_string).chain(flags.iter().cloned()).collect();
    spaced(&all)
}

/// Each word with a space before it.
pub fn spaced(words: &[String]) -> String {
    words.iter().map(|word| format!(" {word}")).collect()
}
