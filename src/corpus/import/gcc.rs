//! What GCC's testsuite says of a program: is it run, on what target, and with which flags.

use camino::Utf8Path;

use super::directive::{Directive, Word, directives};
use super::options;
use super::selector::{Holds, glob, holds};
use super::target;
use super::{Fate, Taken, skip};
use crate::corpus::Sidecar;

/// Directives about diagnostics, dumps and time, which say nothing of what the program does.
const IGNORED: &[&str] = &[
    "dg-final",
    "dg-warning",
    "dg-bogus",
    "dg-message",
    "dg-note",
    "dg-output",
    "dg-output-file",
    "dg-prune-output",
    "dg-timeout",
    "dg-timeout-factor",
    "dg-line",
    "dg-begin-multiline-output",
    "dg-end-multiline-output",
    "dg-regexp",
    "dg-enable-nn-line-numbers",
    "dg-allow-blank-lines-in-output",
    "dg-keep-saved-temps",
    "dg-require-host-local",
];

/// Features that `dg-require-…` names by itself; glibc and GNU ld have them.
const REQUIRED: &[&str] = &[
    "weak",
    "weak-override",
    "alias",
    "visibility",
    "ifunc",
    "iconv",
    "fork",
    "profiling",
    "stack-size",
    "gc-sections",
    "ascii-locale",
    "named-sections",
    "mkfifo",
    "fileio",
    "gthreads",
    "cxa-atexit",
    "linker-plugin",
];

/// Sets of options that are empty on `x86_64` Linux.
const NO_OPTIONS: &[&str] = &[
    "ieee",
    "c99_runtime",
    "tls",
    "bind_pic_locally",
    "float16",
    "float32",
    "float64",
    "float128",
    "float32x",
    "float64x",
    "float128x",
    "__float128",
    "sync_long_long",
    "stack_size",
    "fenv",
    "dfp",
    "double_vectors",
    "check_function_bodies",
];

/// What becomes of the program `text`, which stands at `place`.
pub fn judge(place: &Utf8Path, text: &str) -> Fate {
    let mut test = Test { flags: Vec::new(), notes: Vec::new() };
    match test.read(place, text) {
        Ok(()) => test.taken(),
        Err(fate) => *fate,
    }
}

/// A test while its directives are read.
struct Test {
    flags: Vec<String>,
    notes: Vec<String>,
}

/// The fate of a test that is not taken; boxed, since it travels as an error.
type No = Box<Fate>;

#[expect(clippy::unnecessary_box_returns, reason = "it travels as an error")]
fn no(reason: &'static str, detail: impl Into<String>) -> No {
    Box::new(skip(reason, detail))
}

impl Test {
    fn read(&mut self, place: &Utf8Path, text: &str) -> Result<(), No> {
        let all = directives(text);
        is_run(place, &all)?;
        for directive in &all {
            match directive.name.as_str() {
                "dg-options" if self.applies(directive, 1)? => self.flags = options::split(&first(directive)),
                "dg-additional-options" => match self.applies(directive, 1) {
                    Ok(true) => self.flags.extend(options::split(&first(directive))),
                    Ok(false) => {}
                    // Flags of a machine that may be another one; without them the program is the same.
                    Err(_) if first(directive).starts_with("-m") => {
                        self.notes.push(format!("without {}", first(directive)));
                    }
                    Err(unknown) => return Err(unknown),
                },
                _ => {}
            }
        }
        for directive in &all {
            self.heed(directive)?;
        }
        Ok(())
    }

    /// Whether the selector behind `skipped` words of `directive` holds, or is not there.
    fn applies(&self, directive: &Directive, skipped: usize) -> Result<bool, No> {
        match directive.words.get(skipped) {
            Some(Word::Braced(list)) => self.selected(directive, list),
            _ => Ok(true),
        }
    }

    fn selected(&self, directive: &Directive, list: &[Word]) -> Result<bool, No> {
        let list = match list {
            [Word::Bare(keyword), rest @ ..] if keyword == "target" || keyword == "xfail" => rest,
            list => list,
        };
        match holds(list, &|name| self.has(name)) {
            Holds::Yes => Ok(true),
            Holds::No => Ok(false),
            Holds::Unknown(name) => {
                Err(no("asks for what is not known here", format!("{name} ({})", directive.name)))
            }
        }
    }

    fn has(&self, name: &str) -> Option<bool> {
        match name {
            "any-opts" | "no-opts" => None,
            "nonpic" => Some(!self.flags.iter().any(|flag| ["-fpic", "-fPIC"].contains(&flag.as_str()))),
            _ => target::has(name),
        }
    }

    /// What a directive besides the options means for the program.
    fn heed(&mut self, directive: &Directive) -> Result<(), No> {
        let name = directive.name.as_str();
        match name {
            "dg-require-effective-target" => {
                let wanted = first(directive);
                if self.applies(directive, 1)? {
                    self.require(&wanted)?;
                }
            }
            "dg-skip-if" if self.skips(directive)? => {
                return Err(no("not for x86_64 Linux", format!("dg-skip-if {}", first(directive))));
            }
            "dg-xfail-run-if" | "dg-xfail-if" | "dg-ice" if self.skips(directive)? => {
                return Err(no("known to fail", format!("{name} {}", first(directive))));
            }
            "dg-shouldfail" if self.skips_or_always(directive)? => {
                return Err(no("meant to fail", first(directive)));
            }
            "dg-do"
            | "dg-options"
            | "dg-additional-options"
            | "dg-skip-if"
            | "dg-xfail-run-if"
            | "dg-xfail-if"
            | "dg-ice"
            | "dg-shouldfail" => {}
            "dg-error" | "dg-excess-errors" => {
                if self.applies(directive, 2)? {
                    return Err(no("meant not to compile", format!("{name} on line {}", directive.line)));
                }
            }
            "dg-additional-sources" | "dg-additional-files" => {
                return Err(no("several files", first(directive)));
            }
            "dg-set-target-env-var" | "dg-set-compiler-env-var" => {
                return Err(no("needs a variable of the environment", first(directive)));
            }
            "dg-add-options" => {
                let missing = directive.words.iter().map(Word::text).find(|set| {
                    !NO_OPTIONS.contains(&set.as_str())
                        && !set.starts_with("vect")
                        && !set.starts_with("arm_")
                });
                if let Some(set) = missing {
                    return Err(no("asks for what is not known here", format!("dg-add-options {set}")));
                }
            }
            _ if IGNORED.contains(&name) || name.starts_with("dg-lto") => {}
            _ => match name.strip_prefix("dg-require-") {
                Some(wanted) if REQUIRED.contains(&wanted) => {}
                _ => return Err(no("asks for what is not known here", name)),
            },
        }
        Ok(())
    }

    fn require(&self, wanted: &str) -> Result<(), No> {
        match self.has(wanted) {
            Some(true) => Ok(()),
            Some(false) => Err(no("not for x86_64 Linux", wanted)),
            None => Err(no("asks for what is not known here", wanted)),
        }
    }

    /// `WHY { selector } { options with which } { and without which }`; the last two may be missing.
    fn skips(&self, directive: &Directive) -> Result<bool, No> {
        let list = |at: usize| match directive.words.get(at) {
            Some(Word::Braced(list)) => list.clone(),
            Some(word) => vec![word.clone()],
            None => Vec::new(),
        };
        if !self.selected(directive, &list(1))? {
            return Ok(false);
        }
        let has = |list: &[Word]| {
            list.iter().map(Word::text).any(|pattern| {
                let wanted = options::split(&pattern);
                wanted.iter().all(|one| one == "*" || self.options().any(|flag| glob(one, flag)))
            })
        };
        let with = list(2);
        let without: Vec<Word> = list(3).into_iter().filter(|word| !word.text().is_empty()).collect();
        Ok((with.is_empty() || has(&with)) && !has(&without))
    }

    fn skips_or_always(&self, directive: &Directive) -> Result<bool, No> {
        if directive.words.len() < 2 { Ok(true) } else { self.skips(directive) }
    }

    /// The flags as the tests see them: -O0, whatever the file says.
    fn options(&self) -> impl Iterator<Item = &str> {
        let others = self.flags.iter().map(String::as_str).filter(|flag| !flag.starts_with("-O"));
        others.chain(["-O0"])
    }

    fn taken(mut self) -> Fate {
        let sorted = match options::sort(&self.flags) {
            Ok(sorted) => sorted,
            Err((flag, what)) => return skip(what, flag),
        };
        if !sorted.dropped.is_empty() {
            self.notes.push(format!("without {}", sorted.dropped.join(" ")));
        }
        let sidecar = Sidecar { flags: sorted.kept, ..Sidecar::default() };
        Fate::Taken(Taken { sidecar, notes: self.notes, exit: 0 })
    }
}

fn first(directive: &Directive) -> String {
    directive.words.first().map(Word::text).unwrap_or_default()
}

/// Only what is run has counts.
fn is_run(place: &Utf8Path, all: &[Directive]) -> Result<(), No> {
    if let Some(broken) = all.iter().find(|directive| directive.broken && !ignorable(directive)) {
        return Err(no(
            "a directive that cannot be read",
            format!("{} on line {}", broken.name, broken.line),
        ));
    }
    let by_place = ["gcc.c-torture/execute/", "gcc-c-torture/execute/", "gcc.dg/vect/"];
    let mut runs = by_place.iter().any(|folder| place.as_str().contains(folder));
    let mut said = String::new();
    for directive in all.iter().filter(|directive| directive.name == "dg-do") {
        let what = first(directive);
        let Some(Word::Braced(list)) = directive.words.get(1) else {
            (runs, said) = (what == "run", what);
            continue;
        };
        let expects_failure = matches!(&list[..], [Word::Bare(keyword), ..] if keyword == "xfail");
        let condition = list.get(1..).unwrap_or_default();
        match holds(condition, &|name| target::has(name)) {
            Holds::Yes if expects_failure && what == "run" => return Err(no("known to fail", "dg-do run")),
            Holds::No if !expects_failure => {
                runs = false;
                if what == "run" {
                    said = format!("run on {}", words_of(condition));
                }
            }
            Holds::Unknown(name) if what == "run" => {
                return Err(no("asks for what is not known here", format!("{name} (dg-do)")));
            }
            Holds::Yes | Holds::No | Holds::Unknown(_) => (runs, said) = (what == "run", what),
        }
    }
    if runs {
        Ok(())
    } else if said.starts_with("run on") {
        Err(no("not for x86_64 Linux", said))
    } else {
        Err(no("is not run", if said.is_empty() { "no dg-do".into() } else { format!("dg-do {said}") }))
    }
}

fn words_of(condition: &[Word]) -> String {
    condition.iter().map(Word::text).collect::<Vec<_>>().join(" ")
}

/// Regular expressions hold braces that no parser of words gets right.
fn ignorable(directive: &Directive) -> bool {
    IGNORED.contains(&directive.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(lines: &[&str]) -> Fate {
        let text: String = lines.iter().map(|line| format!("/* {{ {line} }} */\n")).collect();
        judge(Utf8Path::new("gcc.dg/x.c"), &(text + "int main(void) { return 0; }\n"))
    }

    fn flags(lines: &[&str]) -> Vec<String> {
        match judged(lines) {
            Fate::Taken(taken) => taken.sidecar.flags,
            Fate::Skipped(skipped) => panic!("{skipped:?}"),
        }
    }

    fn reason(lines: &[&str]) -> String {
        match judged(lines) {
            Fate::Taken(taken) => panic!("{taken:?}"),
            Fate::Skipped(skipped) => format!("{}: {}", skipped.reason, skipped.detail),
        }
    }

    #[test]
    fn flags_are_those_of_the_target() {
        let lines = [
            "dg-do run",
            "dg-options \"-O2 -std=c99\"",
            "dg-options \"-O2 -std=gnu11 -fwrapv\" { target x86_64-*-* }",
            "dg-options \"-std=c2x\" { target arm*-*-* }",
            "dg-additional-options \"-DMORE\" { target lp64 }",
            "dg-additional-options \"-DLESS\" { target ilp32 }",
        ];
        assert_eq!(flags(&lines), ["-std=gnu11", "-fwrapv", "-DMORE"]);
    }

    #[test]
    fn only_what_is_run_here_is_taken() {
        assert_eq!(reason(&[]), "is not run: no dg-do");
        assert_eq!(reason(&["dg-do compile"]), "is not run: dg-do compile");
        assert_eq!(reason(&["dg-do run { target arm*-*-* }"]), "not for x86_64 Linux: run on arm*-*-*");
        assert_eq!(reason(&["dg-do run { xfail *-*-* }"]), "known to fail: dg-do run");
        assert!(flags(&["dg-do run { xfail vax-*-* }"]).is_empty());
        assert!(flags(&["dg-do run { target { i?86-*-* x86_64-*-* } }"]).is_empty());
        assert_eq!(reason(&["dg-do run", "dg-require-effective-target ia32"]), "not for x86_64 Linux: ia32");
        assert_eq!(
            reason(&["dg-do run", "dg-require-effective-target odd_hw"]),
            "asks for what is not known here: odd_hw"
        );
        let torture = Utf8Path::new("gcc/testsuite/gcc.c-torture/execute/x.c");
        assert!(matches!(judge(torture, "int main() { return 0; }"), Fate::Taken(_)));
    }

    #[test]
    fn a_skip_has_to_match_target_and_options() {
        let skip = "dg-skip-if \"why\" { *-*-* } { \"-O0\" } { \"\" }";
        assert_eq!(reason(&["dg-do run", skip]), "not for x86_64 Linux: dg-skip-if why");
        assert!(flags(&["dg-do run", "dg-skip-if \"\" { *-*-* } { \"-O1\" \"-flto\" }"]).is_empty());
        assert!(flags(&["dg-do run", "dg-skip-if \"\" { *-*-* } { \"*\" } { \"-O0\" }"]).is_empty());
        assert!(flags(&["dg-do run", "dg-skip-if \"\" { pdp11-*-* }"]).is_empty());
        assert!(reason(&["dg-do run", "dg-skip-if \"slow\" { ! run_expensive_tests }"]).contains("slow"));
        assert!(reason(&["dg-do run", "dg-xfail-run-if \"bug\" { *-*-* }"]).starts_with("known to fail"));
    }

    #[test]
    fn what_takes_more_than_a_program_is_skipped() {
        let all = [
            ("dg-shouldfail \"aborts\"", "meant to fail: aborts"),
            ("dg-additional-sources \"b.c\"", "several files: b.c"),
            ("dg-set-target-env-var X 1", "needs a variable of the environment: X"),
            ("dg-options \"-m32\"", "another ABI: -m32"),
            ("dg-new-thing x", "asks for what is not known here: dg-new-thing"),
            ("dg-add-options own_set", "asks for what is not known here: dg-add-options own_set"),
            ("dg-error \"no\"", "meant not to compile: dg-error on line 2"),
        ];
        for (line, expected) in all {
            assert_eq!(reason(&["dg-do run", line]), expected);
        }
        let quiet = ["dg-do run", "dg-warning \"x{\"", "dg-add-options vect_int", "dg-require-weak \"\""];
        assert!(flags(&quiet).is_empty());
    }
}
