//! What LLVM's tests say of a program: `RUN:` lines where there are any, else `main`.
//!
//! A lit test is taken if it builds its own file into a program and runs that. llvm-test-suite has no
//! such lines: there every file with `main` is a program, and the flags of its folder are not read.

use std::sync::LazyLock;

use camino::Utf8Path;
use regex::Regex;

use super::options;
use super::{Fate, Taken, skip};
use crate::corpus::{Input, Sidecar};
use crate::syntax::without_comments;

static MAIN: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bmain\s*\(").expect("a fixed pattern"));

/// lit's features that are there on `x86_64` Linux.
const FEATURES: &[&str] = &[
    "linux",
    "system-linux",
    "x86_64",
    "x86_64-linux",
    "x86_64-target-arch",
    "x86-registered-target",
    "native",
    "shell",
    "host-x86_64",
    "64-bit",
    "native-run",
    "lld-available",
    "lld",
    "profile",
    "crt",
    "fopen",
    "long_tests",
];

/// lit's features that are not.
const ELSEWHERE: &[&str] = &[
    "darwin",
    "system-darwin",
    "windows",
    "system-windows",
    "windows-msvc",
    "msvc",
    "mingw",
    "system-aix",
    "aix",
    "android",
    "arm",
    "aarch64",
    "powerpc",
    "ppc",
    "s390x",
    "mips",
    "sparc",
    "riscv",
    "ios",
    "zos",
    "wasm",
    "fuchsia",
    "freebsd",
    "netbsd",
    "solaris",
    "hexagon",
    "loongarch",
    "target-x86",
    "i386",
    "continuous-mode",
    "debuginfod",
    "haiku",
];

/// lit's names for a C compiler that makes programs.
const BUILDERS: &[&str] =
    &["%clang", "%clang_profgen", "%clang_pgogen", "%clang_lld_profgen", "%clang_cov", "%cc"];

/// Whether `text` defines or calls something named `main`.
pub fn has_main(text: &str) -> bool {
    MAIN.is_match(&without_comments(text))
}

/// What becomes of the program `text`, which stands at `place` beside `others` C files.
pub fn judge(place: &Utf8Path, text: &str, others: usize) -> Fate {
    let commands = run_lines(text);
    if !commands.is_empty() {
        return lit(text, &commands).unwrap_or_else(|fate| *fate);
    }
    if !has_main(text) {
        return skip("has no main", "");
    }
    if others > 0 && place.components().any(|part| part.as_str() == "MultiSource") {
        return skip("several files", format!("{others} others in its folder"));
    }
    let notes = vec!["flags of its CMakeLists.txt or Makefile are not read".to_string()];
    Fate::Taken(Taken { sidecar: Sidecar::default(), notes, exit: 0 })
}

/// The exit code that ends an llvm-test-suite's reference output.
pub fn expected_exit(reference: &str) -> i32 {
    let last = reference.lines().rev().find(|line| !line.trim().is_empty());
    last.and_then(|line| line.trim().strip_prefix("exit ")?.parse().ok()).unwrap_or(0)
}

/// The commands of the `RUN:` lines, those that a backslash continues joined.
pub fn run_lines(text: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let Some((_, command)) = line.split_once("RUN:") else { continue };
        let command = command.trim().trim_end_matches("*/").trim_end();
        let continues = command.ends_with('\\');
        let command = command.trim_end_matches('\\').trim_end();
        match commands.last_mut().filter(|_| open) {
            Some(last) => *last = format!("{last} {command}"),
            None => commands.push(command.to_string()),
        }
        open = continues;
    }
    commands
}

type No = Box<Fate>;

#[expect(clippy::unnecessary_box_returns, reason = "it travels as an error")]
fn no(reason: &'static str, detail: impl Into<String>) -> No {
    Box::new(skip(reason, detail))
}

fn lit(text: &str, commands: &[String]) -> Result<Fate, No> {
    features(text)?;
    let commands: Vec<&str> =
        commands.iter().flat_map(|line| line.split("&&")).flat_map(|line| line.split(';')).collect();
    let mut refused = None;
    let built = commands.iter().find_map(|command| match build(command)? {
        Ok(built) => Some(built),
        Err(why) => {
            refused.get_or_insert(why);
            None
        }
    });
    let Some((output, flags)) = built else {
        return Err(refused.unwrap_or_else(|| no("is not run", "no RUN line builds it into a program")));
    };
    let mut inputs = Vec::new();
    for command in &commands {
        if let Some(input) = run(command, &output)?
            && !inputs.contains(&input)
        {
            inputs.push(input);
        }
    }
    if inputs.is_empty() {
        return Err(no("is not run", "no RUN line runs it"));
    }
    let sorted = options::sort(&flags).map_err(|(flag, what)| no(what, flag))?;
    let mut notes = Vec::new();
    if !sorted.dropped.is_empty() {
        notes.push(format!("without {}", sorted.dropped.join(" ")));
    }
    if inputs == [Input::default()] {
        inputs.clear();
    }
    Ok(Fate::Taken(Taken { sidecar: Sidecar { flags: sorted.kept, inputs, seconds: None }, notes, exit: 0 }))
}

/// `REQUIRES:`, `UNSUPPORTED:` and `XFAIL:` of lit.
fn features(text: &str) -> Result<(), No> {
    for line in text.lines() {
        let of = |keyword: &str| line.split_once(keyword).map(|(_, list)| list.trim().trim_end_matches("*/"));
        let names =
            |list: &str| -> Vec<String> { list.split(',').map(|name| name.trim().to_string()).collect() };
        for name in of("REQUIRES:").map(names).unwrap_or_default() {
            match feature(&name) {
                Some(true) => {}
                Some(false) => return Err(no("not for x86_64 Linux", format!("REQUIRES: {name}"))),
                None => return Err(no("asks for what is not known here", format!("REQUIRES: {name}"))),
            }
        }
        for (keyword, reason) in [("UNSUPPORTED:", "not for x86_64 Linux"), ("XFAIL:", "known to fail")] {
            for name in of(keyword).map(names).unwrap_or_default() {
                match feature(&name) {
                    Some(false) => {}
                    Some(true) => return Err(no(reason, format!("{keyword} {name}"))),
                    None => {
                        return Err(no("asks for what is not known here", format!("{keyword} {name}")));
                    }
                }
            }
        }
    }
    Ok(())
}

fn feature(name: &str) -> Option<bool> {
    if let Some(rest) = name.strip_prefix('!') {
        return feature(rest.trim()).map(|holds| !holds);
    }
    if name.contains("||") || name.contains("&&") {
        return None;
    }
    if name == "*" || FEATURES.contains(&name) {
        return Some(true);
    }
    if ELSEWHERE.contains(&name) {
        return Some(false);
    }
    if let Some(arch) = name.strip_suffix("-target-arch") {
        return Some(arch == "x86_64");
    }
    // lit writes parts of a triplet as regular expressions.
    let pattern = name.strip_prefix("target={{")?.strip_suffix("}}")?;
    Some(Regex::new(&format!("^(?:{pattern})$")).ok()?.is_match("x86_64-unknown-linux-gnu"))
}

/// The program that `command` makes of the file alone, and its flags; none if it makes none.
fn build(command: &str) -> Option<Result<(String, Vec<String>), No>> {
    let words = options::split(command.split('|').next().unwrap_or_default());
    let at = words.iter().position(|word| word.starts_with("%clang") || word == "%cc")?;
    // `%clang_pgogen=%t.dir` says where the profile goes.
    let tool = words[at].split('=').next().unwrap_or_default();
    if !BUILDERS.contains(&tool) || words[..at].iter().any(|word| word == "not") {
        return None;
    }
    let mut flags = Vec::new();
    let mut output = None;
    let mut own = false;
    let mut rest = words[at + 1..].iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "-c" | "-S" | "-E" | "-emit-llvm" | "-fsyntax-only" | "-###" => return None,
            "-o" => output = rest.next().cloned(),
            "%s" => own = true,
            word if word.starts_with('%')
                || !word.starts_with('-') && !word.is_empty() && !is_value(&flags) =>
            {
                return Some(Err(no("several files", word)));
            }
            word if word.contains('%') => return Some(Err(no("files elsewhere", word))),
            word => flags.push(word.to_string()),
        }
    }
    own.then_some(())?;
    Some(Ok((output?, flags)))
}

/// Whether the last flag waits for a value.
fn is_value(flags: &[String]) -> bool {
    flags.last().is_some_and(|flag| {
        ["-mllvm", "-Xclang", "-D", "-U", "-x", "-include", "-l", "-dumpdir"].contains(&flag.as_str())
    })
}

/// The input with which `command` runs `program`; none if it does not.
fn run(command: &str, program: &str) -> Result<Option<Input>, No> {
    let first = command.split('|').next().unwrap_or_default();
    let words = options::split(first);
    let Some(at) = words.iter().position(|word| word == program) else { return Ok(None) };
    let allowed = |word: &String| word == "env" || word == "%run" || word.contains('=');
    if words[..at].iter().any(|word| ["not", "%expect_crash"].contains(&word.as_str())) {
        return Err(no("meant to fail", first.trim()));
    }
    if !words[..at].iter().all(allowed) {
        return Ok(None);
    }
    let args: Vec<String> =
        words[at + 1..].iter().take_while(|word| !word.contains('>') && *word != "2>&1").cloned().collect();
    if let Some(odd) = args.iter().find(|arg| arg.contains(['%', '<', '$'])) {
        return Err(no("files elsewhere", odd.clone()));
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
        match of(text) {
            Fate::Taken(taken) => panic!("{taken:?}"),
            Fate::Skipped(skipped) => format!("{}: {}", skipped.reason, skipped.detail),
        }
    }

    #[test]
    fn a_test_that_runs_its_own_file_is_taken_with_its_arguments() {
        let text = "// RUN: %clang_profgen -std=c11 -O2 \\\n// RUN:   -o %t %s\n\
                    // RUN: env X=%t.raw %run %t a 'b c' 2>&1 | FileCheck %s\n// RUN: %run %t\n";
        let Fate::Taken(taken) = of(text) else { panic!("{:?}", of(text)) };
        assert_eq!(taken.sidecar.flags, ["-std=c11"]);
        let args: Vec<&[String]> = taken.sidecar.inputs.iter().map(|input| &input.args[..]).collect();
        assert_eq!(args, [&["a".to_string(), "b c".into()][..], &[]]);
        assert_eq!(taken.notes, ["without -O2"]);
    }

    #[test]
    fn what_is_not_built_and_run_is_skipped() {
        let build = "// RUN: %clang -o %t %s\n";
        assert!(reason("// RUN: %clang_cc1 -fsyntax-only %s\n").starts_with("is not run"));
        assert!(reason("// RUN: %clang -S -o - %s | FileCheck %s\n").starts_with("is not run"));
        assert_eq!(reason(build), "is not run: no RUN line runs it");
        assert!(reason(&format!("{build}// RUN: not %run %t\n")).starts_with("meant to fail"));
        assert_eq!(reason("// RUN: %clang -o %t %s %S/b.c\n// RUN: %run %t\n"), "several files: %S/b.c");
        assert_eq!(
            reason(&format!("// REQUIRES: system-darwin\n{build}")),
            "not for x86_64 Linux: REQUIRES: system-darwin"
        );
        assert!(reason(&format!("// UNSUPPORTED: target={{{{.*linux.*}}}}\n{build}")).starts_with("not for"));
        assert!(reason(&format!("// REQUIRES: odd\n{build}")).starts_with("asks for"));
    }

    #[test]
    fn without_lines_a_main_makes_the_program() {
        assert!(matches!(of("int main (void) { return 0; }"), Fate::Taken(_)));
        assert_eq!(reason("/* main() */ int f(void) { return 0; }"), "has no main: ");
        let multi = judge(Utf8Path::new("MultiSource/a/x.c"), "int main() {}", 2);
        assert!(matches!(multi, Fate::Skipped(_)));
        assert_eq!((expected_exit("text\nexit 3\n"), expected_exit("text\n")), (3, 0));
    }
}
