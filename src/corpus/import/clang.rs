//! What LLVM's tests say about a program: `RUN:` lines if there are any, else whether it has `main`.
//!
//! A lit test is taken if it builds its own file into a program and runs that. llvm-test-suite has no `RUN:` lines:
//! every file with `main` is a program there, and the flags of its folder are not read.

use std::sync::LazyLock;

use camino::Utf8Path;
use regex::Regex;

use super::options::{self, is_in};
use super::{FAILS, Fate, OTHER_TARGET, Skipped, Taken, UNKNOWN, skip};
use crate::corpus::{Input, Sidecar};
use crate::syntax::without_comments;

static MAIN: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bmain\s*\(").expect("a fixed pattern"));

/// lit's features that `x86_64` Linux has.
const FEATURES: &str = "linux system-linux x86_64 x86_64-linux x86_64-target-arch x86-registered-target native shell \
    host-x86_64 64-bit native-run lld-available lld profile crt fopen long_tests *";

/// lit's features that `x86_64` Linux does not have.
const OTHER_FEATURES: &str = "darwin system-darwin windows system-windows windows-msvc msvc mingw system-aix aix \
    android arm aarch64 powerpc ppc s390x mips sparc riscv ios zos wasm fuchsia freebsd netbsd solaris hexagon \
    loongarch target-x86 i386 continuous-mode debuginfod haiku";

/// lit's names for a C compiler that builds programs.
const BUILDERS: &str = "%clang %clang_profgen %clang_pgogen %clang_lld_profgen %clang_cov %cc";

/// Flags whose value is the next word.
const WITH_VALUE: &str = "-mllvm -Xclang -D -U -x -include -l -dumpdir";

/// Whether `text` defines or calls something named `main`.
pub fn has_main(text: &str) -> bool {
    MAIN.is_match(&without_comments(text))
}

/// Decide on the program `text` in the file `place`, whose folder has `others` other C files.
fn judge(place: &Utf8Path, text: &str, others: usize) -> Fate {
    let commands = run_lines(text);
    if !commands.is_empty() {
        return judge_by_run_lines(text, &commands);
    }
    if !has_main(text) {
        return Err(skip("has no main", ""));
    }
    if others > 0 && place.components().any(|part| part.as_str() == "MultiSource") {
        return Err(skip("needs several files", format!("{others} others in its folder")));
    }
    let notes = vec!["flags of its CMakeLists.txt or Makefile are not read".to_string()];
    Ok(Taken { sidecar: Sidecar::default(), notes, exit: Some(0) })
}

/// The same for the file at `path`, given its folder: other C files, and a reference output.
pub fn judge_file(path: &Utf8Path, text: &str) -> Fate {
    let entries =
        path.parent().and_then(|folder| folder.read_dir_utf8().ok()).into_iter().flatten().flatten();
    let c_files = entries.filter(|entry| entry.path().extension() == Some("c")).count();
    let mut taken = judge(path, text, c_files.saturating_sub(1))?;
    if let Ok(reference) = std::fs::read_to_string(path.with_extension("reference_output")) {
        taken.exit = Some(expected_exit(&reference));
    }
    Ok(taken)
}

/// The exit code at the end of a reference output of llvm-test-suite.
fn expected_exit(reference: &str) -> i32 {
    let last = reference.lines().rev().find(|line| !line.trim().is_empty());
    last.and_then(|line| line.trim().strip_prefix("exit ")?.parse().ok()).unwrap_or(0)
}

/// The commands of the `RUN:` lines; a backslash at the end of a line continues the command.
fn run_lines(text: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let Some((_, command)) = line.split_once("RUN:") else { continue };
        let command = command.trim().trim_end_matches("*/").trim_end();
        let continues = command.ends_with('\\');
        let command = command.trim_end_matches('\\').trim_end();
        match commands.last_mut().filter(|_| is_open) {
            Some(last) => *last = format!("{last} {command}"),
            None => commands.push(command.to_string()),
        }
        is_open = continues;
    }
    commands
}

fn judge_by_run_lines(text: &str, commands: &[String]) -> Fate {
    check_features(text)?;
    let commands: Vec<&str> =
        commands.iter().flat_map(|line| line.split("&&")).flat_map(|line| line.split(';')).collect();
    // The first command that builds the program decides; else the first that could not be read.
    let (builds, refused): (Vec<_>, Vec<_>) =
        commands.iter().filter_map(|command| build(command)).partition(Result::is_ok);
    let built = builds.into_iter().chain(refused).next();
    let (output, flags) =
        built.unwrap_or_else(|| Err(skip("is not run", "no RUN line builds it into a program")))?;
    let mut inputs = Vec::new();
    for command in &commands {
        if let Some(input) = run(command, &output)?
            && !inputs.contains(&input)
        {
            inputs.push(input);
        }
    }
    if inputs.is_empty() {
        return Err(skip("is not run", "no RUN line runs it"));
    }
    if inputs == [Input::default()] {
        inputs.clear();
    }
    let sorted = options::sort(&flags)?;
    let notes = sorted.note().into_iter().collect();
    Ok(Taken { sidecar: Sidecar { flags: sorted.kept, inputs, seconds: None }, notes, exit: Some(0) })
}

/// `REQUIRES:`, `UNSUPPORTED:` and `XFAIL:` of lit.
fn check_features(text: &str) -> Result<(), Skipped> {
    let keywords =
        [("REQUIRES:", true, OTHER_TARGET), ("UNSUPPORTED:", false, OTHER_TARGET), ("XFAIL:", false, FAILS)];
    for line in text.lines() {
        for (keyword, wanted, reason) in keywords {
            let Some((_, list)) = line.split_once(keyword) else { continue };
            for name in list.trim().trim_end_matches("*/").split(',').map(str::trim) {
                let has = has_feature(name);
                if has != Some(wanted) {
                    return Err(skip(has.map_or(UNKNOWN, |_| reason), format!("{keyword} {name}")));
                }
            }
        }
    }
    Ok(())
}

fn has_feature(name: &str) -> Option<bool> {
    if let Some(rest) = name.strip_prefix('!') {
        return has_feature(rest.trim()).map(|holds| !holds);
    }
    if name.contains("||") || name.contains("&&") {
        return None;
    }
    if is_in(FEATURES, name) || is_in(OTHER_FEATURES, name) {
        return Some(is_in(FEATURES, name));
    }
    if let Some(arch) = name.strip_suffix("-target-arch") {
        return Some(arch == "x86_64");
    }
    // lit writes parts of a triplet as regular expressions.
    let pattern = name.strip_prefix("target={{")?.strip_suffix("}}")?;
    Some(Regex::new(&format!("^(?:{pattern})$")).ok()?.is_match("x86_64-unknown-linux-gnu"))
}

/// The program that `command` builds from the file alone, and its flags; none if it builds no program.
fn build(command: &str) -> Option<Result<(String, Vec<String>), Skipped>> {
    let words = options::split(command.split('|').next().unwrap_or_default());
    let at = words.iter().position(|word| word.starts_with("%clang") || word == "%cc")?;
    // The value in `%clang_pgogen=%t.dir` is the folder for the profile.
    let tool = words[at].split('=').next().unwrap_or_default();
    if !is_in(BUILDERS, tool) || words[..at].iter().any(|word| word == "not") {
        return None;
    }
    let mut flags: Vec<String> = Vec::new();
    let mut output = None;
    let mut has_own_file = false;
    let mut rest = words[at + 1..].iter();
    while let Some(word) = rest.next() {
        let is_value = flags.last().is_some_and(|flag| is_in(WITH_VALUE, flag));
        match word.as_str() {
            "-c" | "-S" | "-E" | "-emit-llvm" | "-fsyntax-only" | "-###" => return None,
            "-o" => output = rest.next().cloned(),
            "%s" => has_own_file = true,
            word if word.starts_with('%') || !word.starts_with('-') && !word.is_empty() && !is_value => {
                return Some(Err(skip("needs several files", word)));
            }
            word if word.contains('%') => return Some(Err(skip("needs other files", word))),
            word => flags.push(word.to_string()),
        }
    }
    has_own_file.then_some(Ok((output?, flags)))
}

/// The input with which `command` runs `program`; none if it does not.
fn run(command: &str, program: &str) -> Result<Option<Input>, Skipped> {
    let first = command.split('|').next().unwrap_or_default();
    let words = options::split(first);
    let Some(at) = words.iter().position(|word| word == program) else { return Ok(None) };
    if words[..at].iter().any(|word| ["not", "%expect_crash"].contains(&word.as_str())) {
        return Err(skip("expected to fail", first.trim()));
    }
    if !words[..at].iter().all(|word| word == "env" || word == "%run" || word.contains('=')) {
        return Ok(None);
    }
    let args: Vec<String> =
        words[at + 1..].iter().take_while(|word| !word.contains('>') && *word != "2>&1").cloned().collect();
    if let Some(odd) = args.iter().find(|arg| arg.contains(['%', '<', '$'])) {
        return Err(skip("needs other files", odd.clone()));
    }
    Ok(Some(Input { args, ..Input::default() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Fate {
        judge(Utf8Path::new("test/profile/x.c"), text, 3)
    }

    fn reason(text: &str) -> String {
        of(text).unwrap_err().to_string()
    }

    #[test]
    fn a_test_that_runs_its_own_file_is_taken_with_its_arguments() {
        let text = "// RUN: %clang_profgen -std=c11 -O2 \\\n// RUN:   -o %t %s\n\
                    // RUN: env X=%t.raw %run %t a 'b c' 2>&1 | FileCheck %s\n// RUN: %run %t\n";
        let taken = of(text).unwrap();
        assert_eq!(taken.sidecar.flags, ["-std=c11"]);
        let args: Vec<&[String]> = taken.sidecar.inputs.iter().map(|input| &input.args[..]).collect();
        assert_eq!(args, [&["a".to_string(), "b c".into()][..], &[]]);
        assert_eq!(taken.notes, ["without -O2"]);
    }

    #[test]
    fn a_test_that_is_not_built_and_run_is_skipped() {
        let build = "// RUN: %clang -o %t %s\n";
        assert!(reason("// RUN: %clang_cc1 -fsyntax-only %s\n").starts_with("is not run"));
        assert!(reason("// RUN: %clang -S -o - %s | FileCheck %s\n").starts_with("is not run"));
        assert_eq!(reason(build), "is not run: no RUN line runs it");
        assert!(reason(&format!("{build}// RUN: not %run %t\n")).starts_with("expected to fail"));
        assert_eq!(
            reason("// RUN: %clang -o %t %s %S/b.c\n// RUN: %run %t\n"),
            "needs several files: %S/b.c"
        );
        assert_eq!(
            reason(&format!("// REQUIRES: system-darwin\n{build}")),
            "not for x86_64 Linux: REQUIRES: system-darwin"
        );
        assert!(reason(&format!("// UNSUPPORTED: target={{{{.*linux.*}}}}\n{build}")).starts_with("not for"));
        assert!(reason(&format!("// REQUIRES: odd\n{build}")).starts_with("needs a feature"));
    }

    #[test]
    fn without_run_lines_a_file_with_main_is_a_program() {
        assert!(of("int main (void) { return 0; }").is_ok());
        assert_eq!(reason("/* main() */ int f(void) { return 0; }"), "has no main: ");
        let multi = judge(Utf8Path::new("MultiSource/a/x.c"), "int main() {}", 2);
        assert!(multi.is_err());
        assert_eq!((expected_exit("text\nexit 3\n"), expected_exit("text\n")), (3, 0));
    }
}
