//! The laboratory of one relation: build a variant, profile it, compare it with P,
//! and remember the answer.

use std::collections::HashMap;

use anyhow::Result;

use super::subject::{Stability, Subject};
use crate::compare::{Comparison, compare};
use crate::config::Lane;
use crate::coverage::Coverage;
use crate::model::{Difference, Outcome, TextEdit};
use crate::relation::{Atom, Atoms, Relation, touched};
use crate::syntax::render;
use crate::toolchain::{Detail, Request};

/// Attempts at putting statements back into a variant that does not compile.
const REPAIRS: usize = 48;

/// SIGILL and SIGTRAP: what `__builtin_trap` raises, by processor.
const TRAPS: [i32; 2] = [4, 5];

/// The means of one relation on one subject.
pub struct Lab<'s, 'a> {
    /// P under a profiler.
    pub subject: &'s mut Subject<'a>,
    /// The relation under test.
    pub relation: &'s dyn Relation,
    /// Profiles that may still be made for isolation.
    pub budget: usize,
    memo: HashMap<Atoms, Comparison>,
    repeated: HashMap<Atoms, Vec<Comparison>>,
    ran: HashMap<Atoms, bool>,
    output_counts: bool,
}

impl<'s, 'a> Lab<'s, 'a> {
    /// A laboratory for one relation.
    pub fn new(subject: &'s mut Subject<'a>, relation: &'s dyn Relation, budget: usize) -> Lab<'s, 'a> {
        Lab {
            subject,
            relation,
            budget,
            memo: HashMap::new(),
            repeated: HashMap::new(),
            ran: HashMap::new(),
            output_counts: true,
        }
    }

    /// The text of the variant that `atoms` make.
    pub fn render(&self, atoms: &[Atom]) -> String {
        render(&self.subject.program.source, &self.relation.render(self.subject.program, atoms))
    }

    /// Take the `differences` that `atoms` made before for an answer.
    pub fn remember(&mut self, atoms: &[Atom], differences: &[Difference]) {
        self.memo.insert(atoms.to_vec(), Comparison::Compared(differences.to_vec()));
    }

    /// P' of `atoms` against P; remembered.
    pub fn compare(&mut self, atoms: &[Atom]) -> Result<Comparison> {
        if let Some(known) = self.memo.get(atoms) {
            return Ok(known.clone());
        }
        let mut comparison = self.fresh(atoms, self.subject.request.lane)?;
        if self.output_counts && comparison.has_output_difference() {
            // A program that prints its process id differs from itself. Its counts may still be compared.
            if self.subject.stability()? == Stability::OutputVaries {
                self.output_counts = false;
                comparison = self.fresh(atoms, self.subject.request.lane)?.with_output_difference();
            }
        }
        self.memo.insert(atoms.to_vec(), comparison.clone());
        Ok(comparison)
    }

    /// P' of `atoms`, built and run anew, against the one profile of P.
    fn fresh(&mut self, atoms: &[Atom], lane: Lane) -> Result<Comparison> {
        let edits = self.relation.render(self.subject.program, atoms);
        self.compare_edited(&edits, lane)
    }

    /// P with `edits` against P; not remembered.
    pub fn compare_edited(&mut self, edits: &[TextEdit], lane: Lane) -> Result<Comparison> {
        self.budget = self.budget.saturating_sub(1);
        let source = render(&self.subject.program.source, edits);
        let request = Request { source: &source, lane, ..self.subject.request };
        let variant = self.subject.profile(&request)?;
        Ok(compare(self.subject.report, &variant, &touched(self.subject.program, edits), self.output_counts))
    }

    /// Everything that the tools say of P' of `atoms`; empty where it does not get that far.
    pub fn report(&mut self, atoms: &[Atom]) -> Result<Coverage> {
        let edits = self.relation.render(self.subject.program, atoms);
        self.report_edited(&edits)
    }

    /// The same of P with `edits`.
    pub fn report_edited(&mut self, edits: &[TextEdit]) -> Result<Coverage> {
        let source = render(&self.subject.program.source, edits);
        let request = Request { source: &source, detail: Detail::Parts, ..self.subject.request };
        Ok(self.subject.profile(&request)?.map_or_else(|_| Coverage::default(), |report| report.coverage))
    }

    /// Whether P' of `atoms` still shows `difference` each of so many `times` that it is built and run anew.
    pub fn repeats(&mut self, atoms: &[Atom], difference: &Difference, times: usize) -> Result<bool> {
        let mut known = self.repeated.remove(atoms).unwrap_or_default();
        while known.len() < times && known.iter().all(|again| again.shows(difference)) {
            known.push(self.fresh(atoms, Lane::Plain)?);
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
        let source = render(&self.subject.program.source, &self.relation.trap(self.subject.program, atoms));
        let request = Request { source: &source, ..self.subject.request };
        let mut ran = true;
        for _ in 0..2 {
            let trapped = self.subject.profile(&request)?;
            ran &= matches!(trapped, Err(Outcome::Died { signal }) if TRAPS.contains(&signal));
            if !ran {
                break;
            }
        }
        self.ran.insert(atoms.to_vec(), ran);
        Ok(ran)
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
