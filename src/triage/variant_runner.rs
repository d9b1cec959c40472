//! Builds and profiles variants of P, compares them with P, and caches the results.

use std::collections::{BTreeMap, HashMap};

use anyhow::Result;

use super::repeated::of_each;
use super::subject::{Stability, Subject};
use super::variant::{Variant, wrong_lines};
use crate::compare::{Comparison, compare};
use crate::config::TriageSettings;
use crate::coverage::Coverage;
use crate::model::{Difference, Finding, Outcome, RelationName, Rewriting, TextEdit};
use crate::relation::{Delete, StatementId, StatementSet, touched};
use crate::syntax::render;
use crate::toolchain::{Confidence, Detail, Profile, Request};

/// Attempts at putting statements back into a variant that does not compile.
const REPAIRS: usize = 48;

/// Runs in which P' must show a difference before the finding is left open.
pub(super) const CONFIRMING_RUNS: u32 = 5;

/// SIGILL and SIGTRAP: `__builtin_trap` raises one of them, depending on the processor.
const TRAPS: [i32; 2] = [4, 5];

/// Runs the variants of one relation on one subject.
pub struct VariantRunner<'s, 'a> {
    /// P under a profiler.
    pub subject: &'s mut Subject<'a>,
    pub delete: &'s Delete,
    /// The number of profiles that isolation may still make.
    pub budget: usize,
    memo: HashMap<StatementSet, Comparison>,
    repeated: HashMap<StatementSet, Vec<Comparison>>,
    ran: HashMap<StatementSet, bool>,
    examined: BTreeMap<Vec<TextEdit>, Option<Vec<Finding>>>,
    output_counts: bool,
}

impl<'s, 'a> VariantRunner<'s, 'a> {
    pub fn new(subject: &'s mut Subject<'a>, delete: &'s Delete, budget: usize) -> VariantRunner<'s, 'a> {
        VariantRunner {
            subject,
            delete,
            budget,
            memo: HashMap::new(),
            repeated: HashMap::new(),
            ran: HashMap::new(),
            examined: BTreeMap::new(),
            output_counts: true,
        }
    }

    /// Cache the `differences` that the variant without `statements` showed earlier.
    pub fn remember(&mut self, statements: &[StatementId], differences: &[Difference]) {
        self.memo.insert(statements.to_vec(), Comparison::Compared(differences.to_vec()));
    }

    /// Compares the variant without `statements` with P; cached.
    pub fn compare(&mut self, statements: &[StatementId]) -> Result<Comparison> {
        if let Some(known) = self.memo.get(statements) {
            return Ok(known.clone());
        }
        let mut comparison = self.fresh(statements)?;
        if self.output_counts && comparison.has_output_difference() {
            // A program that prints its process id has different output in each run. Its counts can still be compared.
            if self.subject.stability()? == Stability::OutputVaries {
                self.output_counts = false;
                comparison = self.fresh(statements)?;
                comparison.add_output_difference();
            }
        }
        self.memo.insert(statements.to_vec(), comparison.clone());
        Ok(comparison)
    }

    /// Build and run the variant without `statements` again, and compare it with the profile of P.
    fn fresh(&mut self, statements: &[StatementId]) -> Result<Comparison> {
        let edits = self.delete.edits(self.subject.program, statements);
        self.compare_edited(&edits, self.subject.request.confidence)
    }

    /// Compares the variant with `edits` with P; not cached.
    pub fn compare_edited(&mut self, edits: &[TextEdit], confidence: Confidence) -> Result<Comparison> {
        let variant = self.profile(edits, confidence, 1)?;
        Ok(self.against_p(edits, &variant))
    }

    /// The profile of the variant with `edits`, run `runs` times as often as P.
    fn profile(&mut self, edits: &[TextEdit], confidence: Confidence, runs: u32) -> Result<Profile> {
        self.budget = self.budget.saturating_sub(1);
        let source = render(&self.subject.program.source, edits);
        let runs = runs.saturating_mul(self.subject.request.runs);
        let request = Request { source: &source, confidence, runs, ..self.subject.request };
        self.subject.profile(&request)
    }

    /// Compare the profile of the variant with `edits` with that of P.
    fn against_p(&self, edits: &[TextEdit], variant: &Profile) -> Comparison {
        compare(self.subject.report, variant, &touched(self.subject.program, edits), self.output_counts)
    }

    /// Run the variant with `edits` up to `times` times, until a run does not show `difference`, and compare each run
    /// with P. A build takes much longer than a run, so two builds are enough if the runs are equal.
    fn runs(&mut self, edits: &[TextEdit], difference: &Difference, times: u32) -> Result<Vec<Comparison>> {
        let mut seen: Vec<Comparison> = Vec::new();
        for runs in [times / 2, times - times / 2] {
            if seen.iter().all(|run| run.shows(difference)) {
                seen.extend(self.runs_of_one_build(edits, difference, runs)?);
            }
        }
        Ok(seen)
    }

    /// The same with one build if all runs are equal, by the rules of [`Subject::confirmed_stability`].
    fn runs_of_one_build(
        &mut self,
        edits: &[TextEdit],
        difference: &Difference,
        runs: u32,
    ) -> Result<Vec<Comparison>> {
        if runs > 1 && self.output_counts {
            let sum = self.profile(edits, Confidence::Confirming, runs)?;
            let each = self.against_p(edits, &of_each(sum.clone(), runs));
            if each.shows(difference) {
                return Ok(vec![each; runs as usize]);
            }
            if self.profile(edits, Confidence::Confirming, runs)? != sum {
                return Ok(vec![each]);
            }
        }
        let mut seen: Vec<Comparison> = Vec::new();
        while seen.len() < runs as usize && seen.iter().all(|run| run.shows(difference)) {
            seen.push(self.compare_edited(edits, Confidence::Confirming)?);
        }
        Ok(seen)
    }

    /// Whether the variant with `edits` shows `difference` in each of `times` new runs.
    pub fn repeats_every_time(
        &mut self,
        edits: &[TextEdit],
        difference: &Difference,
        times: u32,
    ) -> Result<bool> {
        Ok(self.runs(edits, difference, times)?.iter().all(|run| run.shows(difference)))
    }

    /// Whether the variant with `edits` prints numbers that P never prints, and so did something else: it may have waited longer for a
    /// thread. Numbers that differ between runs of P, such as process ids, say nothing.
    pub fn prints_otherwise(&mut self, edits: &[TextEdit]) -> Result<bool> {
        if !self.subject.report.execution.may_vary {
            return Ok(false);
        }
        let variant = self.profile(edits, Confidence::Confirming, 1)?;
        Ok(variant.is_ok_and(|report| self.subject.prints_otherwise(&report.execution)))
    }

    /// The full report on the variant without `statements`; empty if it has no report.
    pub fn report(&mut self, statements: &[StatementId]) -> Result<Coverage> {
        let edits = self.delete.edits(self.subject.program, statements);
        self.report_edited(&edits)
    }

    /// The full report on the variant with `edits`; empty if it has no report.
    pub fn report_edited(&mut self, edits: &[TextEdit]) -> Result<Coverage> {
        let source = render(&self.subject.program.source, edits);
        let request = Request { source: &source, detail: Detail::Parts, ..self.subject.request };
        Ok(self.subject.profile(&request)?.map_or_else(|_| Coverage::default(), |report| report.coverage))
    }

    /// Whether the variant without `statements` still shows `difference` in each of `times` new runs; cached.
    pub fn repeats(
        &mut self,
        statements: &[StatementId],
        difference: &Difference,
        times: u32,
    ) -> Result<bool> {
        let mut known = self.repeated.remove(statements).unwrap_or_default();
        let missing = times.saturating_sub(u32::try_from(known.len())?);
        if missing > 0 && known.iter().all(|again| again.shows(difference)) {
            let edits = self.delete.edits(self.subject.program, statements);
            known.extend(self.runs(&edits, difference, missing)?);
        }
        let repeats = known.iter().take(times as usize).all(|again| again.shows(difference));
        self.repeated.insert(statements.to_vec(), known);
        Ok(repeats)
    }

    /// The findings on counts that are wrong in the variant with `edits`, which `words` describe, and right in P; none if
    /// the variant has no ground truth of its own. Cached.
    pub fn wrong_in_variant(
        &mut self,
        edits: &[TextEdit],
        words: &str,
        is_isolated: bool,
        settings: &TriageSettings,
    ) -> Result<Option<Vec<Finding>>> {
        if let Some(known) = self.examined.get(edits) {
            return Ok(known.clone());
        }
        let plan = Rewriting {
            words: words.into(),
            edits: edits.to_vec(),
            runs: self.subject.request.runs,
            ..Rewriting::default()
        };
        let variant = Variant::new(self.subject, plan, Detail::Parts)?;
        let found = match &variant {
            Ok(variant) if variant.truth().is_some() => {
                let wrong = variant.newly_wrong(&wrong_lines(self.subject), self.subject.family());
                let found = variant.examine(self.subject, RelationName::Delete, &wrong, settings)?;
                let rewriting = variant.rewriting(is_isolated, self.subject.family());
                let of_variant = |finding| Finding { rewriting: Some(rewriting.clone()), ..finding };
                Some(found.into_iter().map(of_variant).collect())
            }
            _ => None,
        };
        self.examined.insert(edits.to_vec(), found.clone());
        Ok(found)
    }

    /// Whether code in `statements` ran although the report says 0: a trap in its place then ends the program.
    pub fn ran(&mut self, statements: &[StatementId]) -> Result<bool> {
        if let Some(known) = self.ran.get(statements) {
            return Ok(*known);
        }
        let source =
            render(&self.subject.program.source, &self.delete.traps(self.subject.program, statements));
        let request = Request { source: &source, ..self.subject.request };
        let mut is_trapped = || -> Result<bool> {
            let profile = self.subject.profile(&request)?;
            Ok(matches!(profile, Err(Outcome::Died { signal }) if TRAPS.contains(&signal)))
        };
        let ran = is_trapped()? && is_trapped()?;
        self.ran.insert(statements.to_vec(), ran);
        Ok(ran)
    }

    /// A large part of `statements` that compiles, found by putting statements back.
    pub fn repair(&mut self, statements: &[StatementId]) -> Result<Option<StatementSet>> {
        let mut kept: StatementSet = Vec::new();
        let mut queue: Vec<StatementSet> = halves(statements);
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

/// The two halves; empty if there are fewer than two statements.
fn halves(statements: &[StatementId]) -> Vec<StatementSet> {
    if statements.len() < 2 {
        return Vec::new();
    }
    let (left, right) = statements.split_at(statements.len() / 2);
    vec![left.to_vec(), right.to_vec()]
}
