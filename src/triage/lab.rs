//! One job's laboratory: build a variant, profile it, compare it with P, and
//! remember the answer.

use std::collections::HashMap;

use anyhow::Result;

use crate::compare::{Comparison, compare};
use crate::model::{Difference, Line, Outcome};
use crate::relation::{Atom, Atoms, Relation, touched};
use crate::syntax::{Program, render};
use crate::toolchain::{Bench, Detail, Perturb, Profile, Profiler, Report, Request};

/// Further runs of P before a finding is left open.
const DOUBTS: usize = 9;

/// Attempts at putting statements back into a variant that does not compile.
const REPAIRS: usize = 48;

/// SIGILL and SIGTRAP: what `__builtin_trap` raises, by processor.
const TRAPS: [i32; 2] = [4, 5];

/// What running P again says of P.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// Output and counts are the same each time, wherever the program lies in memory.
    Stable,
    /// Its output changes, its counts do not.
    OutputVaries,
    /// Its counts change from run to run.
    CountsVary,
    /// Output or counts change with the program's layout in memory.
    LayoutDependent,
}

/// The means of a job.
pub struct Lab<'a> {
    /// The profiler under test.
    pub profiler: &'a dyn Profiler,
    /// The worker's bench.
    pub bench: &'a mut Bench,
    /// The parsed P.
    pub program: &'a Program,
    /// The relation under test.
    pub relation: &'a dyn Relation,
    /// P's profile, the one that variants are compared with.
    pub report: &'a Report,
    /// What to run P and its variants with.
    pub request: Request<'a>,
    /// Profiles that may still be made for isolation.
    pub budget: usize,
    memo: HashMap<Atoms, Comparison>,
    repeated: HashMap<Atoms, Vec<Comparison>>,
    ran: HashMap<Atoms, bool>,
    stability: Option<Stability>,
    doubted: bool,
    output_counts: bool,
}

impl<'a> Lab<'a> {
    /// A laboratory for one program, input and profiler.
    pub fn new(
        profiler: &'a dyn Profiler,
        bench: &'a mut Bench,
        program: &'a Program,
        relation: &'a dyn Relation,
        report: &'a Report,
        request: Request<'a>,
        budget: usize,
    ) -> Lab<'a> {
        let request = Request { dialect: Some(report.dialect), detail: Detail::Lines, ..request };
        Lab {
            profiler,
            bench,
            program,
            relation,
            report,
            request,
            budget,
            memo: HashMap::new(),
            repeated: HashMap::new(),
            ran: HashMap::new(),
            stability: None,
            doubted: false,
            output_counts: true,
        }
    }

    /// The text of the variant that `atoms` make.
    pub fn render(&self, atoms: &[Atom]) -> String {
        render(&self.program.source, &self.relation.render(self.program, atoms))
    }

    /// P' of `atoms` against P; remembered.
    pub fn compare(&mut self, atoms: &[Atom]) -> Result<Comparison> {
        if let Some(known) = self.memo.get(atoms) {
            return Ok(known.clone());
        }
        let mut comparison = self.fresh(atoms)?;
        if self.output_counts && comparison.has_output_difference() {
            // A program that prints its process id differs from itself. Its counts may still be compared.
            if self.stability()? == Stability::OutputVaries {
                self.output_counts = false;
                comparison = self.fresh(atoms)?.with_output_difference();
            }
        }
        self.memo.insert(atoms.to_vec(), comparison.clone());
        Ok(comparison)
    }

    /// P' of `atoms`, built and run anew, against the one profile of P.
    fn fresh(&mut self, atoms: &[Atom]) -> Result<Comparison> {
        self.budget = self.budget.saturating_sub(1);
        let edits = self.relation.render(self.program, atoms);
        let source = render(&self.program.source, &edits);
        let request = Request { source: &source, ..self.request };
        let variant = self.profiler.profile(self.bench, &request)?;
        Ok(compare(self.report, &variant, &touched(self.program, &edits), self.output_counts))
    }

    /// Whether P' of `atoms` still shows `difference` each of so many `times` that it is built and run anew.
    pub fn repeats(&mut self, atoms: &[Atom], difference: &Difference, times: usize) -> Result<bool> {
        let mut known = self.repeated.remove(atoms).unwrap_or_default();
        while known.len() < times && known.iter().all(|again| again.shows(difference)) {
            known.push(self.fresh(atoms)?);
        }
        let repeats = known.iter().take(times).all(|again| again.shows(difference));
        self.repeated.insert(atoms.to_vec(), known);
        Ok(repeats)
    }

    /// Whether what `atoms` edit ran after all, although the report says 0: a trap in its place ends P.
    pub fn ran(&mut self, atoms: &[Atom]) -> Result<bool> {
        if let Some(known) = self.ran.get(atoms) {
            return Ok(*known);
        }
        let source = render(&self.program.source, &self.relation.trap(self.program, atoms));
        let request = Request { source: &source, ..self.request };
        let mut ran = true;
        for _ in 0..2 {
            let trapped = self.profiler.profile(self.bench, &request)?;
            ran &= matches!(trapped, Err(Outcome::Died { signal }) if TRAPS.contains(&signal));
            if !ran {
                break;
            }
        }
        self.ran.insert(atoms.to_vec(), ran);
        Ok(ran)
    }

    /// How P behaves when it is built and run again, as it is and laid out differently.
    pub fn stability(&mut self) -> Result<Stability> {
        if let Some(known) = self.stability {
            return Ok(known);
        }
        let again = self.again(Perturb::Nothing)?;
        let mut stability = self.against_p(&again, |new, old| new == old);
        if stability == Stability::Stable {
            let moved = self.again(Perturb::Layout)?;
            let filled = self.again(Perturb::Uninitialised)?;
            let same = self.against_p(&moved, |new, old| new == old) == Stability::Stable
                && self.against_p(&filled, |new, old| (new == 0) == (old == 0)) == Stability::Stable;
            if !same {
                stability = Stability::LayoutDependent;
            }
        }
        self.stability = Some(stability);
        Ok(stability)
    }

    /// The same, doubted: P is run several times more before anybody is accused. What
    /// depends on a random address or process id can stay the same twice by chance.
    pub fn doubted_stability(&mut self) -> Result<Stability> {
        let mut stability = self.stability()?;
        if !std::mem::replace(&mut self.doubted, true) {
            for _ in 0..DOUBTS {
                let again = self.again(Perturb::Nothing)?;
                match self.against_p(&again, |new, old| new == old) {
                    Stability::Stable => {}
                    worse if stability == Stability::Stable => stability = worse,
                    Stability::CountsVary => stability = Stability::CountsVary,
                    _ => {}
                }
            }
            self.stability = Some(stability);
        }
        Ok(stability)
    }

    fn again(&mut self, perturb: Perturb) -> Result<Profile> {
        let request = Request { source: &self.program.source, perturb, ..self.request };
        let again = self.profiler.profile(self.bench, &request)?;
        // A compiler that does not take the flags tells nothing about the program.
        let refused = matches!(again, Err(Outcome::DoesNotCompile { .. } | Outcome::CompilerFailed { .. }));
        Ok(if refused && perturb != Perturb::Nothing { Ok(self.report.clone()) } else { again })
    }

    /// How another profile of P compares; `same` says which two counts of a line agree.
    fn against_p(&self, again: &Profile, same: fn(u64, u64) -> bool) -> Stability {
        let Ok(again) = again else { return Stability::CountsVary };
        // Another build may give a line a count that had none.
        let differs = |(line, old): (Line, u64)| again.coverage.line(line).is_some_and(|new| !same(new, old));
        if self.report.coverage.counted().any(differs) {
            Stability::CountsVary
        } else if again.execution == self.report.execution {
            Stability::Stable
        } else {
            Stability::OutputVaries
        }
    }

    /// A large part of `atoms` that compiles, found by putting statements back.
    pub fn repair(&mut self, atoms: &[Atom]) -> Result<Option<Atoms>> {
        let mut kept: Atoms = Vec::new();
        let mut queue: Vec<Atoms> = halves(atoms);
        let mut attempts = 0;
        while let Some(part) = queue.pop() {
            if attempts == REPAIRS {
                break;
            }
            attempts += 1;
            let mut tried = kept.clone();
            tried.extend(&part);
            tried.sort_unstable();
            match self.compare(&tried)? {
                Comparison::Incomparable(Outcome::DoesNotCompile { .. }) => queue.extend(halves(&part)),
                _ => kept = tried,
            }
        }
        Ok((!kept.is_empty()).then_some(kept))
    }
}

/// Two halves; none of what cannot be halved.
fn halves(atoms: &[Atom]) -> Vec<Atoms> {
    if atoms.len() < 2 {
        return Vec::new();
    }
    let (left, right) = atoms.split_at(atoms.len() / 2);
    vec![left.to_vec(), right.to_vec()]
}
