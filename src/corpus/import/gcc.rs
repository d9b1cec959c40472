//! What GCC's testsuite says about a program: whether it is run, on which targets, and with which flags.

use camino::Utf8Path;

use super::directive::{Directive, Word, directives};
use super::options::{self, is_in};
use super::selector::{glob, holds};
use super::target;
use super::{FAILS, Fate, OTHER_TARGET, Skipped, Taken, UNKNOWN, skip};
use crate::corpus::Sidecar;

/// Directives about diagnostics, dumps and time, which do not change what the program does.
const IGNORED: &str = "dg-final dg-warning dg-bogus dg-message dg-note dg-output dg-output-file dg-prune-output \
    dg-timeout dg-timeout-factor dg-line dg-begin-multiline-output dg-end-multiline-output dg-regexp \
    dg-enable-nn-line-numbers dg-allow-blank-lines-in-output dg-keep-saved-temps dg-require-host-local";

/// Features after `dg-require-` that glibc and GNU ld have.
const REQUIRED: &str = "weak weak-override alias visibility ifunc iconv fork profiling stack-size gc-sections \
    ascii-locale named-sections mkfifo fileio gthreads cxa-atexit linker-plugin";

/// Sets of options that are empty on `x86_64` Linux.
const NO_OPTIONS: &str = "ieee c99_runtime tls bind_pic_locally float16 float32 float64 float128 float32x float64x \
    float128x __float128 sync_long_long stack_size fenv dfp double_vectors check_function_bodies";

/// Decide on the program `text` in the file `place`.
pub fn judge(place: &Utf8Path, text: &str) -> Fate {
    let all = directives(text);
    is_run(place, &all)?;
    let mut test = Test { flags: Vec::new(), notes: Vec::new() };
    for directive in &all {
        test.read_options(directive)?;
    }
    for directive in &all {
        test.heed(directive)?;
    }
    let sorted = options::sort(&test.flags)?;
    test.notes.extend(sorted.note());
    let sidecar = Sidecar { flags: sorted.kept, ..Sidecar::default() };
    Ok(Taken { sidecar, notes: test.notes, exit: Some(0) })
}

/// A test while its directives are read.
struct Test {
    flags: Vec<String>,
    notes: Vec<String>,
}

impl Test {
    fn read_options(&mut self, directive: &Directive) -> Result<(), Skipped> {
        match directive.name.as_str() {
            "dg-options" if self.applies(directive, 1)? => self.flags = options::split(&first(directive)),
            "dg-additional-options" => match self.applies(directive, 1) {
                Ok(true) => self.flags.extend(options::split(&first(directive))),
                Ok(false) => {}
                // Machine flags for a target that may be another one do not change what the program does.
                Err(_) if first(directive).starts_with("-m") => {
                    self.notes.push(format!("without {}", first(directive)));
                }
                Err(unknown) => return Err(unknown),
            },
            _ => {}
        }
        Ok(())
    }

    /// Whether the selector at word `at` of `directive` holds; a missing selector always does.
    fn applies(&self, directive: &Directive, at: usize) -> Result<bool, Skipped> {
        match directive.words.get(at) {
            Some(Word::Braced(list)) => self.selected(directive, list),
            _ => Ok(true),
        }
    }

    fn selected(&self, directive: &Directive, list: &[Word]) -> Result<bool, Skipped> {
        let list = match list {
            [Word::Bare(keyword), rest @ ..] if keyword == "target" || keyword == "xfail" => rest,
            list => list,
        };
        holds(list, &|name| self.has(name))
            .map_err(|name| skip(UNKNOWN, format!("{name} ({})", directive.name)))
    }

    fn has(&self, name: &str) -> Option<bool> {
        match name {
            "any-opts" | "no-opts" => None,
            "nonpic" => Some(!self.flags.iter().any(|flag| ["-fpic", "-fPIC"].contains(&flag.as_str()))),
            _ => target::has(name),
        }
    }

    /// Skip the test if `directive`, which is not about options, requires it.
    fn heed(&self, directive: &Directive) -> Result<(), Skipped> {
        let name = directive.name.as_str();
        let detail = || first(directive);
        let (is_refused, reason, detail) = match name {
            "dg-do" | "dg-options" | "dg-additional-options" => return Ok(()),
            "dg-require-effective-target" => {
                let wanted = first(directive);
                match self.applies(directive, 1)?.then(|| self.has(&wanted)) {
                    None | Some(Some(true)) => return Ok(()),
                    Some(Some(false)) => (true, OTHER_TARGET, wanted),
                    Some(None) => (true, UNKNOWN, wanted),
                }
            }
            "dg-skip-if" => (self.skips(directive)?, OTHER_TARGET, format!("{name} {}", detail())),
            "dg-xfail-run-if" | "dg-xfail-if" | "dg-ice" => {
                (self.skips(directive)?, FAILS, format!("{name} {}", detail()))
            }
            "dg-shouldfail" => {
                (directive.words.len() < 2 || self.skips(directive)?, "expected to fail", detail())
            }
            "dg-error" | "dg-excess-errors" => {
                let detail = format!("{name} on line {}", directive.line);
                (self.applies(directive, 2)?, "expected not to compile", detail)
            }
            "dg-additional-sources" | "dg-additional-files" => (true, "needs several files", detail()),
            "dg-set-target-env-var" | "dg-set-compiler-env-var" => {
                (true, "needs an environment variable", detail())
            }
            "dg-add-options" => {
                let is_known = |set: &String| {
                    is_in(NO_OPTIONS, set) || set.starts_with("vect") || set.starts_with("arm_")
                };
                let unknown = directive.words.iter().map(Word::text).find(|set| !is_known(set));
                (unknown.is_some(), UNKNOWN, format!("{name} {}", unknown.unwrap_or_default()))
            }
            _ => {
                let feature = name.strip_prefix("dg-require-");
                let is_harmless = is_in(IGNORED, name)
                    || name.starts_with("dg-lto")
                    || feature.is_some_and(|feature| is_in(REQUIRED, feature));
                (!is_harmless, UNKNOWN, name.to_string())
            }
        };
        if is_refused { Err(skip(reason, detail)) } else { Ok(()) }
    }

    /// `WHY { selector } { options with which } { options without which }`; the last two may be missing.
    fn skips(&self, directive: &Directive) -> Result<bool, Skipped> {
        let list = |at: usize| match directive.words.get(at) {
            Some(Word::Braced(list)) => list.clone(),
            Some(word) => vec![word.clone()],
            None => Vec::new(),
        };
        if !self.selected(directive, &list(1))? {
            return Ok(false);
        }
        let has_options = |list: &[Word]| {
            list.iter().map(Word::text).any(|pattern| {
                let wanted = options::split(&pattern);
                wanted.iter().all(|one| one == "*" || self.options().any(|flag| glob(one, flag)))
            })
        };
        let with = list(2);
        let without: Vec<Word> = list(3).into_iter().filter(|word| !word.text().is_empty()).collect();
        Ok((with.is_empty() || has_options(&with)) && !has_options(&without))
    }

    /// The flags as recount uses them: with -O0, whatever the test says.
    fn options(&self) -> impl Iterator<Item = &str> {
        let others = self.flags.iter().map(String::as_str).filter(|flag| !flag.starts_with("-O"));
        others.chain(["-O0"])
    }
}

fn first(directive: &Directive) -> String {
    directive.words.first().map(Word::text).unwrap_or_default()
}

/// Only a test that is run here has counts.
fn is_run(place: &Utf8Path, all: &[Directive]) -> Result<(), Skipped> {
    // Regular expressions hold braces that a parser of words cannot match.
    let is_broken = |directive: &&Directive| directive.broken && !is_in(IGNORED, &directive.name);
    if let Some(broken) = all.iter().find(is_broken) {
        return Err(skip("has an unreadable directive", format!("{} on line {}", broken.name, broken.line)));
    }
    let run_by_default = ["gcc.c-torture/execute/", "gcc-c-torture/execute/", "gcc.dg/vect/"];
    let mut runs = run_by_default.iter().any(|folder| place.as_str().contains(folder));
    let mut action = String::new();
    for directive in all.iter().filter(|directive| directive.name == "dg-do") {
        let what = first(directive);
        let Some(Word::Braced(list)) = directive.words.get(1) else {
            (runs, action) = (what == "run", what);
            continue;
        };
        let expects_failure = matches!(&list[..], [Word::Bare(keyword), ..] if keyword == "xfail");
        let condition = list.get(1..).unwrap_or_default();
        match holds(condition, &|name| target::has(name)) {
            Ok(true) if expects_failure && what == "run" => return Err(skip(FAILS, "dg-do run")),
            Ok(false) if !expects_failure => {
                runs = false;
                if what == "run" {
                    let target = condition.iter().map(Word::text).collect::<Vec<_>>().join(" ");
                    action = format!("run on {target}");
                }
            }
            Err(name) if what == "run" => return Err(skip(UNKNOWN, format!("{name} (dg-do)"))),
            _ => (runs, action) = (what == "run", what),
        }
    }
    match action.as_str() {
        _ if runs => Ok(()),
        "" => Err(skip("is not run", "no dg-do")),
        elsewhere if elsewhere.starts_with("run on") => Err(skip(OTHER_TARGET, action)),
        other => Err(skip("is not run", format!("dg-do {other}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(lines: &[&str]) -> Fate {
        let text: String = lines.iter().map(|line| format!("/* {{ {line} }} */\n")).collect();
        judge(Utf8Path::new("gcc.dg/x.c"), &(text + "int main(void) { return 0; }\n"))
    }

    fn flags(lines: &[&str]) -> Vec<String> {
        judged(lines).unwrap().sidecar.flags
    }

    fn reason(lines: &[&str]) -> String {
        judged(lines).unwrap_err().to_string()
    }

    #[test]
    fn flags_for_other_targets_are_ignored() {
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
    fn only_tests_that_run_here_are_taken() {
        assert_eq!(reason(&[]), "is not run: no dg-do");
        assert_eq!(reason(&["dg-do compile"]), "is not run: dg-do compile");
        assert_eq!(reason(&["dg-do run { target arm*-*-* }"]), "not for x86_64 Linux: run on arm*-*-*");
        assert_eq!(reason(&["dg-do run { xfail *-*-* }"]), "known to fail: dg-do run");
        assert!(flags(&["dg-do run { xfail vax-*-* }"]).is_empty());
        assert!(flags(&["dg-do run { target { i?86-*-* x86_64-*-* } }"]).is_empty());
        assert_eq!(reason(&["dg-do run", "dg-require-effective-target ia32"]), "not for x86_64 Linux: ia32");
        assert_eq!(
            reason(&["dg-do run", "dg-require-effective-target odd_hw"]),
            "needs a feature that recount does not know: odd_hw"
        );
        let torture = Utf8Path::new("gcc/testsuite/gcc.c-torture/execute/x.c");
        assert!(judge(torture, "int main() { return 0; }").is_ok());
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
    fn a_test_that_needs_more_than_one_program_is_skipped() {
        let all = [
            ("dg-shouldfail \"aborts\"", "expected to fail: aborts"),
            ("dg-additional-sources \"b.c\"", "needs several files: b.c"),
            ("dg-set-target-env-var X 1", "needs an environment variable: X"),
            ("dg-options \"-m32\"", "needs another ABI: -m32"),
            ("dg-new-thing x", "needs a feature that recount does not know: dg-new-thing"),
            ("dg-add-options own_set", "needs a feature that recount does not know: dg-add-options own_set"),
            ("dg-error \"no\"", "expected not to compile: dg-error on line 2"),
        ];
        for (line, expected) in all {
            assert_eq!(reason(&["dg-do run", line]), expected);
        }
        let quiet = ["dg-do run", "dg-warning \"x{\"", "dg-add-options vect_int", "dg-require-weak \"\""];
        assert!(flags(&quiet).is_empty());
    }
}
