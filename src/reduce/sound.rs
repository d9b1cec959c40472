//! Soundness: a reduced program must not cause compiler warnings or have undefined behaviour, unless the original did.

use std::sync::OnceLock;
use std::time::Instant;

use anyhow::Result;

use super::candidate::Candidate;
use super::finding_test::FindingTest;
use crate::coverage::Coverage;
use crate::sys::lock;
use crate::toolchain::{Confidence, Perturbation, Request, UbChecks, Worker, is_undefined};

/// Warnings about faults that reduction often causes: missing returns, uninitialised variables, undeclared functions, code
/// that ISO C forbids, statements without effect, and everything else that the compiler warns about by default. A warning
/// is an error if the original program does not cause it.
const GUARDS: [&str; 12] = [
    // clang only warns about unknown warnings, and gcc accepts any -Wno.
    "-Wno-unknown-warning-option",
    "-Werror=uninitialized",
    "-Werror=return-type",
    "-Werror=implicit-function-declaration",
    "-Werror=implicit-int",
    "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types",
    // A call that is inlined may lose its sequence points.
    "-Werror=sequence-point",
    "-Werror=format",
    "-Werror=unused-value",
    "-Werror",
    "-Werror=pedantic",
];

/// Warnings about code that only C23 allows, under clang's names and gcc's. No compiler knows all of them.
const NEWEST: [&str; 4] =
    ["-Werror=c23-extensions", "-Werror=c2x-extensions", "-Werror=c11-c23-compat", "-Werror=c11-c2x-compat"];

/// With these flags gcc finds reads of uninitialised variables. Sanitizers miss them if the value is not used, and gcc's
/// warning under -O0 misses those after a jump. clang's warning does not, and clang has no such flag.
const ANALYSIS: [&str; 2] = ["-fanalyzer", "-Werror=analyzer-use-of-uninitialized-value"];

/// The static analysis of a long program takes as long as ten profiles, so passes analyse only programs with fewer bytes.
const CHEAPLY_ANALYSED: usize = 8000;

impl FindingTest<'_> {
    /// Rejects from now on all faults that `source`, the original program, does not have.
    pub(super) fn set_guards(&mut self, source: &str) -> Result<()> {
        self.original = source.to_string();
        self.guards = self.acceptable(&[], GUARDS.map(String::from).to_vec())?;
        let newest = self.acceptable(&self.guards, NEWEST.map(String::from).to_vec())?;
        self.guards.extend(newest);
        Ok(())
    }

    /// The `guards` that accept the original program together with `kept`: those that the compiler names in its errors are
    /// removed, and the others are searched for when it names none.
    fn acceptable(&self, kept: &[String], mut guards: Vec<String>) -> Result<Vec<String>> {
        let mut removed: Vec<String> = Vec::new();
        while let Some(reason) = self.failure(0, &self.original, &[kept, &guards].concat())? {
            let is_default = removed.iter().any(|guard| is_named(&reason, guard));
            let is_culprit = |guard: &String| is_named(&reason, guard) || is_default && guard == "-Werror";
            let Some(at) = guards.iter().position(is_culprit) else { return self.accepted(kept, &guards) };
            removed.push(guards.remove(at));
        }
        Ok(guards)
    }

    /// The `guards` that accept the original program, each together with those before it and with `kept`.
    fn accepted(&self, kept: &[String], guards: &[String]) -> Result<Vec<String>> {
        if self.compiles_and_runs(0, &self.original, &[kept, guards].concat())? {
            return Ok(guards.to_vec());
        }
        if guards.len() == 1 {
            return Ok(Vec::new());
        }
        let (left, right) = guards.split_at(guards.len() / 2);
        let mut accepted = self.accepted(kept, left)?;
        let right = self.accepted(&[kept, &accepted].concat(), right)?;
        accepted.extend(right);
        Ok(accepted)
    }

    /// Gives up the guards with which `start` does not show the finding: with -Wformat, gcc 12 puts the first block of some
    /// functions on another line.
    pub(super) fn drop_guards_that_change(&mut self, start: &Candidate) -> Result<()> {
        if self.explore(0, start)?.is_some() {
            return Ok(());
        }
        let mut kept = Vec::new();
        for guard in std::mem::take(&mut self.guards) {
            self.guards = vec![guard.clone()];
            if self.explore(0, start)?.is_some() {
                kept.push(guard);
            }
        }
        self.guards = kept;
        Ok(())
    }

    /// Whether `source` compiles and runs with the flags `more`.
    pub(super) fn compiles_and_runs(
        &self,
        worker_index: usize,
        source: &str,
        more: &[String],
    ) -> Result<bool> {
        Ok(self.failure(worker_index, source, more)?.is_none())
    }

    /// Why `source` does not compile or run with the flags `more`.
    fn failure(&self, worker_index: usize, source: &str, more: &[String]) -> Result<Option<String>> {
        let flags = [self.flags.as_slice(), more].concat();
        let request = Request { flags: &flags, ..self.request(source, Confidence::Exploratory) };
        let profile = self.profiler.profile(&mut lock(&self.workers[worker_index]), &request)?;
        Ok(profile.err().map(|outcome| outcome.in_words("")))
    }

    /// Whether `source` is as well defined as the original program. The compiler under test decides this, although a
    /// campaign uses the newest version, because a reduction has only one compiler.
    pub(super) fn is_sound_source(
        &self,
        worker_index: usize,
        source: &str,
        checks: UbChecks,
    ) -> Result<bool> {
        let began = Instant::now();
        // A check that was stopped says nothing about the program.
        let was_stopped =
            || self.deadline.is_some_and(|deadline| began < deadline && deadline <= Instant::now());
        let is_analysed = checks == UbChecks::Full || source.len() < CHEAPLY_ANALYSED;
        let is_like_original = |fact: &OnceLock<bool>, check: &dyn Fn(&str) -> Result<bool>| {
            // Faults that the original has too cannot be rejected. To check it takes long, and is seldom needed.
            if fact.get() == Some(&false) || check(source)? {
                return Ok(true);
            }
            if was_stopped() {
                return Ok(false);
            }
            let of_original = fact.get().map_or_else(|| check(&self.original), |known| Ok(*known))?;
            Ok::<_, anyhow::Error>(!*fact.get_or_init(|| of_original))
        };
        let passes = |source: &str| self.compiles_and_runs(worker_index, source, &ANALYSIS.map(String::from));
        if is_analysed && !is_like_original(&self.passes_analysis, &passes)? {
            return Ok(false);
        }
        let is_sound = is_like_original(&self.is_defined, &|text| {
            let checks = if *text == *source { checks } else { UbChecks::Full };
            self.is_defined_source(worker_index, text, checks)
        })?;
        Ok(is_sound && !was_stopped())
    }

    /// Whether no check detects undefined behaviour of `source`.
    fn is_defined_source(&self, worker_index: usize, source: &str, checks: UbChecks) -> Result<bool> {
        let request = self.request(source, Confidence::Exploratory);
        let worker = &mut *lock(&self.workers[worker_index]);
        Ok(!self.reads_uninitialised(worker, &request)?
            && !is_undefined(&**self.profiler, worker, &request, checks)?
            && (checks == UbChecks::Quick || !self.depends_on_layout(worker, &request)?))
    }

    /// Whether the program behaves differently when uninitialised variables have a pattern. This is the most frequent fault
    /// of reduced programs.
    fn reads_uninitialised(&self, worker: &mut Worker, request: &Request<'_>) -> Result<bool> {
        let known = lock(&self.reports).get(request.source).cloned();
        let profile =
            known.map_or_else(|| self.profiler.profile(worker, request), |report| Ok(Ok(report)))?;
        let Ok(report) = profile else { return Ok(false) };
        let filled = Request { perturbation: Perturbation::Uninitialised, ..*request };
        Ok(match self.profiler.profile(worker, &filled)? {
            // gcc counts the initialisation, so counts may differ, but the same lines must run, or those that run if the variables are
            // zero.
            Ok(filled) => {
                let lines = || report.coverage.counted().map(|(line, _)| line);
                let runs = |coverage: &Coverage, line| coverage.line(line).unwrap_or(0) > 0;
                let differs = filled.execution != report.execution
                    || lines().any(|line| runs(&filled.coverage, line) != runs(&report.coverage, line));
                let zeroed = Request { perturbation: Perturbation::Zeroed, ..*request };
                differs && self.profiler.profile(worker, &zeroed)? != Ok(filled)
            }
            // A compiler that does not know the flag gives no information about the program.
            Err(outcome) => !outcome.is_without_program(),
        })
    }

    /// Whether the program behaves differently when its memory layout changes.
    fn depends_on_layout(&self, worker: &mut Worker, request: &Request<'_>) -> Result<bool> {
        let mut executions = Vec::new();
        for perturbation in [Perturbation::Nothing, Perturbation::Layout, Perturbation::Distances] {
            let request = Request { perturbation, confidence: Confidence::Confirming, ..*request };
            match self.profiler.profile(worker, &request)? {
                Ok(report) => executions.push(report.execution),
                // A compiler that does not know the flags gives no information about the program.
                Err(outcome) if outcome.is_without_program() => {}
                Err(_) => return Ok(true),
            }
        }
        Ok(executions.windows(2).any(|two| two[0] != two[1]))
    }
}

/// Whether the error `reason` says that `guard` caused it, or that the compiler does not know it.
fn is_named(reason: &str, guard: &str) -> bool {
    guard.strip_prefix("-Werror=").is_some_and(|name| {
        let tags = [format!("[-Werror={name}]"), format!("[-Werror,-W{name}]"), format!("-Werror={name}'")];
        tags.iter().any(|tag| reason.contains(tag))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_both_compilers_name_their_guards() {
        let guard = "-Werror=unused-value";
        assert!(is_named("p.c:1:1: error: statement with no effect [-Werror=unused-value]", guard));
        assert!(is_named("p.c:1:1: error: expression result unused [-Werror,-Wunused-value]", guard));
        assert!(is_named("cc1: error: '-Werror=unused-value': no option '-Wunused-value'", guard));
        assert!(!is_named("p.c:1:1: error: unused [-Werror=unused-value-x]", guard));
        assert!(!is_named("p.c:1:1: error: expected ';'", "-Werror"));
    }
}
