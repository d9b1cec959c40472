//! Soundness: what makes a program smaller must not make it worse.
//!
//! A program that nothing can be said against must not become one of which the compiler warns, or whose behaviour
//! is undefined. What the program does from the start is not held against it.

use anyhow::Result;

use super::hunt::Hunt;
use crate::coverage::Coverage;
use crate::sys::lock;
use crate::toolchain::{Confidence, Perturbation, Request, UbChecks, Worker, is_undefined};

/// What may make a program smaller and worse: a function that returns nothing, a variable that nothing
/// sets, a call of what nobody declares, what ISO C forbids or only its newest version allows. A program that
/// never did so must not begin to.
const GUARDS: [&str; 10] = [
    // clang only warns of what it does not know, and gcc takes any -Wno.
    "-Wno-unknown-warning-option",
    "-Werror=uninitialized",
    "-Werror=return-type",
    "-Werror=implicit-function-declaration",
    "-Werror=implicit-int",
    "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types",
    // A call that is put in its caller's place may lose what orders it.
    "-Werror=sequence-point",
    "-Werror=format",
    "-Werror=pedantic",
];

/// What only the newest C allows is not for older versions: clang's names for that, and gcc's. No compiler knows all.
const NEWEST: [&str; 4] =
    ["-Werror=c23-extensions", "-Werror=c2x-extensions", "-Werror=c11-c23-compat", "-Werror=c11-c2x-compat"];

/// By this gcc sees reads of what nothing set. Where the value leads to nothing no sanitizer sees them,
/// and under -O0 gcc's warning misses those behind a jump; clang's does not, and clang has no such flag.
const ANALYSIS: [&str; 2] = ["-fanalyzer", "-Werror=analyzer-use-of-uninitialized-value"];

impl Hunt<'_> {
    /// Refuse from now on what `source` does not do, by the compiler's warnings.
    pub fn guard(&mut self, source: &str) -> Result<()> {
        let all: Vec<String> = GUARDS.map(String::from).into();
        let mut singly: Vec<String> = NEWEST.map(String::from).into();
        if self.takes(0, source, &all)? {
            self.guards = all;
        } else {
            singly.splice(..0, all);
        }
        for guard in singly {
            if self.takes(0, source, std::slice::from_ref(&guard))? {
                self.guards.push(guard);
            }
        }
        self.analysed = self.takes(0, source, &ANALYSIS.map(String::from))?;
        // What is undefined from the start cannot be kept from becoming so. The accused version is asked itself,
        // though a campaign asks the newest: a reduction has one compiler.
        self.sound = self.stands(0, source, UbChecks::Full)?;
        Ok(())
    }

    /// Whether `source` compiles and runs with `guards`.
    pub(super) fn takes(&self, worker_index: usize, source: &str, guards: &[String]) -> Result<bool> {
        let flags = [self.flags.as_slice(), guards].concat();
        let request = self.request(source, &flags, Confidence::Exploratory);
        Ok(self.with_worker(worker_index, |worker| self.profiler.profile(worker, &request))?.is_ok())
    }

    /// Whether nothing can be said against `source`, by what [`Hunt::guard`] learnt of the program that it comes from.
    pub(super) fn stands(&self, worker_index: usize, source: &str, checks: UbChecks) -> Result<bool> {
        if self.analysed && !self.takes(worker_index, source, &ANALYSIS.map(String::from))? {
            return Ok(false);
        }
        if !self.sound {
            return Ok(true);
        }
        let request = self.request(source, &self.flags, Confidence::Exploratory);
        self.with_worker(worker_index, |worker| {
            Ok(!self.reads_garbage(worker, &request)?
                && !is_undefined(&**self.profiler, worker, &request, checks)?
                && (checks == UbChecks::Quick || !self.depends_on_layout(worker, &request)?))
        })
    }

    /// Whether the program does something else when what it does not initialise has a pattern: the
    /// commonest way to spoil a program by making it smaller.
    fn reads_garbage(&self, worker: &mut Worker, request: &Request<'_>) -> Result<bool> {
        let known = lock(&self.reports).get(request.source).cloned();
        let profile =
            known.map_or_else(|| self.profiler.profile(worker, request), |report| Ok(Ok(report)))?;
        let Ok(report) = profile else { return Ok(false) };
        Ok(
            match self
                .profiler
                .profile(worker, &Request { perturbation: Perturbation::Uninitialised, ..*request })?
            {
                // gcc counts the work of initialising, but no line runs that did not.
                Ok(filled) => {
                    let ran = |coverage: &Coverage| -> Vec<bool> {
                        report
                            .coverage
                            .counted()
                            .map(|(line, _)| coverage.line(line).unwrap_or(0) > 0)
                            .collect()
                    };
                    filled.execution != report.execution || ran(&filled.coverage) != ran(&report.coverage)
                }
                // A compiler that does not take the flag tells nothing about the program.
                Err(outcome) => !outcome.is_without_program(),
            },
        )
    }

    /// Whether the program does something else when it is laid out differently in memory.
    fn depends_on_layout(&self, worker: &mut Worker, request: &Request<'_>) -> Result<bool> {
        let mut did = Vec::new();
        for perturbation in [Perturbation::Nothing, Perturbation::Layout, Perturbation::Distances] {
            let request = Request { perturbation, confidence: Confidence::Confirming, ..*request };
            match self.profiler.profile(worker, &request)? {
                Ok(report) => did.push(report.execution),
                // A compiler that does not take the flags tells nothing about the program.
                Err(outcome) if outcome.is_without_program() => {}
                Err(_) => return Ok(true),
            }
        }
        Ok(did.windows(2).any(|two| two[0] != two[1]))
    }
}
