//! Programs that a relation derived from P, each compared with its own ground truth.
//!
//! If a count is wrong in P' and right in P, the rewriting exposed the wrong count. The smallest part of the rewriting
//! that still exposes it is determined, and the resulting program is the program of the finding.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use rand::rngs::ChaCha8Rng;

use super::isolate::{ddmin, nearest_first};
use super::sign::{claim_signature, ruled};
use super::subject::Subject;
use super::variant::{Variant, wrong_lines};
use super::variant_runner::CONFIRMING_RUNS;
use crate::config::{Settings, TriageSettings};
use crate::journal::RelationResult;
use crate::model::{
    Artefact, Convention, Difference, Execution, Family, Finding, Instability, Kind, Line, Outcome, Place,
    RelationName, Rewriting, Rule, TextEdit, Verdict,
};
use crate::relation::{Grounds, Mutation, draw, mutations};
use crate::replay::expected;
use crate::syntax::SiteKind;
use crate::toolchain::Detail;
use crate::truth::Truth;

/// Test `relation` on `subject`. The result is empty if P has no ground truth.
pub fn rewritten(
    subject: &mut Subject<'_>,
    relation: RelationName,
    rng: &mut ChaCha8Rng,
    settings: &Settings,
) -> Result<RelationResult> {
    let mut all = RelationResult::default();
    let Some(truth) = subject.truth() else { return Ok(all) };
    let (info, report) = (subject.profiler.info(), &subject.report.coverage);
    let grounds = Grounds { program: subject.program, profiler: Some(info), ran: Some((report, truth)) };
    let mutations = mutations(relation, &grounds, rng);
    let variants = draw(&mutations, settings.rewrite.variants, rng);
    let wrong = wrong_lines(subject);
    let shown = BTreeMap::new();
    let mut work = Work { wrong, subject, relation, mutations, shown, all: &mut all };
    for variant in variants {
        work.test(&variant, &settings.triage)?;
    }
    Ok(all)
}

/// One relation on one subject.
struct Work<'w, 's> {
    subject: &'w mut Subject<'s>,
    relation: RelationName,
    mutations: Vec<Mutation>,
    /// Lines of P with a wrong count. The relation `truth` reports them.
    wrong: BTreeSet<Line>,
    /// The wrong signatures for each set of mutations that isolation tried. Several isolations may try the same set.
    shown: BTreeMap<Vec<usize>, BTreeSet<String>>,
    all: &'w mut RelationResult,
}

impl Work<'_, '_> {
    fn test(&mut self, variant: &[usize], settings: &TriageSettings) -> Result<()> {
        self.all.tally.variants += 1;
        let made = match self.make(variant, Detail::Lines)? {
            Ok(made) => made,
            Err(Outcome::DoesNotCompile { reason }) => {
                self.all.refused.push(reason);
                return Ok(());
            }
            Err(outcome) => {
                self.all.tally.compiled += 1;
                if matches!(outcome, Outcome::Died { .. }) {
                    return self.other_output(variant, settings);
                }
                *self.all.incomparable.entry(outcome.name().to_string()).or_default() += 1;
                return Ok(());
            }
        };
        self.all.tally.compiled += 1;
        if made.report.execution != self.subject.report.execution {
            return self.other_output(variant, settings);
        }
        self.all.tally.alike += 1;
        let fresh = made.newly_wrong(&self.wrong, self.family());
        let moved = self.moved(&made);
        self.all.tally.differing += usize::from(!fresh.is_empty() || !moved.is_empty());
        self.keep_moved(&made, &moved);
        if made.truth().is_none() {
            *self.all.incomparable.entry("without truth".to_string()).or_default() += 1;
        }
        if fresh.is_empty() {
            return Ok(());
        }
        // Conventions depend on parts that only the full report contains.
        let Ok(whole) = self.make(variant, Detail::Parts)? else { return Ok(()) };
        let mut places: BTreeMap<String, Line> = BTreeMap::new();
        for finding in self.wrong_in(&whole)? {
            if let Some(line) = finding.line {
                places.entry(finding.signature).or_insert(line);
            }
        }
        for (signature, line) in places {
            if !self.has(&signature) {
                self.isolate(variant, (&signature, line), settings)?;
            }
        }
        Ok(())
    }

    fn has(&self, signature: &str) -> bool {
        self.all.findings.iter().any(|finding| finding.signature == signature)
    }

    /// P' of `variant` with its report and ground truth, or the outcome if it has no report.
    fn make(&mut self, variant: &[usize], detail: Detail) -> Result<std::result::Result<Variant, Outcome>> {
        self.all.tally.tests += 1;
        Variant::new(self.subject, self.plan(variant), detail)
    }

    fn family(&self) -> Family {
        self.subject.family()
    }

    /// The findings on counts that are only wrong in P', and whose verdict is `wrong`, without confirmation.
    fn wrong_in(&mut self, made: &Variant) -> Result<Vec<Finding>> {
        let found = made.newly_wrong(&self.wrong, self.family());
        let settings = TriageSettings { isolate: false, rules: true, tests: 0, prove_all: false };
        let mut findings = made.examine(self.subject, self.relation, &found, &settings)?;
        findings.retain(|finding| finding.verdict == Verdict::Wrong);
        Ok(findings)
    }

    /// The signatures of the wrong counts in P' of `variant`; empty if P' behaves differently from P.
    fn signatures(&mut self, variant: &[usize]) -> Result<&BTreeSet<String>> {
        if !self.shown.contains_key(variant) {
            let shown = match self.make(variant, Detail::Parts)? {
                Ok(made) if made.report.execution == self.subject.report.execution => {
                    self.wrong_in(&made)?.into_iter().map(|finding| finding.signature).collect()
                }
                _ => BTreeSet::new(),
            };
            self.shown.insert(variant.to_vec(), shown);
        }
        Ok(&self.shown[variant])
    }

    /// The mutations of `variant`, sorted by the distance of their text from `line` of the variant.
    fn by_distance(&self, variant: &[usize], line: Line) -> Vec<usize> {
        let mut edits: Vec<(&TextEdit, usize)> =
            variant.iter().flat_map(|at| self.mutations[*at].edits.iter().map(|edit| (edit, *at))).collect();
        edits.sort();
        let mut added = 0;
        let mut distances: BTreeMap<usize, Line> = BTreeMap::new();
        for (edit, at) in edits {
            let first = self.subject.program.line_of(edit.start) + added;
            let lines = edit.added_lines();
            added += lines;
            let distance = line.abs_diff(line.clamp(first, first + lines));
            distances.entry(at).and_modify(|least| *least = distance.min(*least)).or_insert(distance);
        }
        let mut nearest = variant.to_vec();
        // A mutation that changes no text has no place, so it comes last.
        nearest.sort_by_key(|at| distances.get(at).copied().unwrap_or(Line::MAX));
        nearest
    }

    /// Find the smallest part of `variant` that still shows the signature, and confirm it like any other claim.
    /// Mutations near `line` are tried first.
    fn isolate(
        &mut self,
        variant: &[usize],
        (signature, line): (&str, Line),
        settings: &TriageSettings,
    ) -> Result<()> {
        let mut budget = if settings.isolate { settings.tests } else { 0 };
        let mut stopped = false;
        let mut smallest = variant.to_vec();
        if budget > 0 && variant.len() > 1 {
            smallest = nearest_first(&self.by_distance(variant, line), |part| -> Result<bool> {
                if budget == 0 {
                    stopped = true;
                    return Ok(false);
                }
                budget -= usize::from(!self.shown.contains_key(part));
                Ok(self.signatures(part)?.contains(signature))
            })?;
        }
        let Ok(made) = self.make(&smallest, Detail::Parts)? else { return Ok(()) };
        let found = made.newly_wrong(&self.wrong, self.family());
        let rewriting = made.rewriting(!stopped && settings.isolate, self.family());
        let findings = made.examine(self.subject, self.relation, &found, settings)?;
        // Confirmation may change the verdict, and with it the signature.
        let is_wanted =
            |finding: &&Finding| finding.signature == signature || finding.verdict == Verdict::Unstable;
        if let Some(finding) = findings.iter().find(is_wanted) {
            self.all.findings.push(Finding { rewriting: Some(rewriting), ..finding.clone() });
        }
        Ok(())
    }

    /// How `variant` rewrites P.
    fn plan(&self, variant: &[usize]) -> Rewriting {
        let chosen = || variant.iter().map(|at| &self.mutations[*at]);
        let mut edits: Vec<_> = chosen().flat_map(|mutation| mutation.edits.clone()).collect();
        edits.sort();
        Rewriting {
            words: chosen().map(|mutation| mutation.words.as_str()).collect::<Vec<_>>().join(", "),
            edits,
            flags: chosen().flat_map(|mutation| mutation.flags.clone()).collect(),
            runs: chosen().filter_map(|mutation| mutation.runs).max().unwrap_or(1),
            ..Rewriting::default()
        }
    }

    /// The lines whose count differs between P and P' although ground truth shows neither count to be wrong; each with
    /// its line in P'.
    fn moved(&self, made: &Variant) -> Vec<(Line, Difference)> {
        let (before, after) = (&self.subject.report.coverage, &made.report.coverage);
        let truth = made.truth();
        let mut found = Vec::new();
        for old in 1..=before.last_line().max(after.last_line()) {
            let Some(new) = made.lines.to(old) else { continue };
            let wanted = before.line(old).map(|count| count.saturating_mul(made.runs().into()));
            let seen = after.line(new);
            let admits = |truth: &Truth| expected(truth, self.family(), new).ok();
            let is_wrong = seen.is_some_and(|seen| {
                truth.and_then(admits).is_some_and(|admissible| !admissible.counts.contains(&seen))
            });
            if let Some(difference) = Difference::of_line(old, wanted, seen)
                && !is_wrong
                && !self.wrong.contains(&old)
            {
                found.push((new, difference));
            }
        }
        found
    }

    /// Record the differences in which both counts are admissible or ground truth is unavailable: one finding per rule.
    fn keep_moved(&mut self, made: &Variant, moved: &[(Line, Difference)]) {
        if moved.is_empty() {
            return;
        }
        let program = made.program();
        for (line, difference) in moved {
            let has_truth = made.truth().is_some_and(|truth| expected(truth, self.family(), *line).is_ok());
            let site = program.site(*line);
            let rule = match (difference.kind, &site.kind) {
                (_, SiteKind::Brace) => Rule::Artefact(Artefact::ClosingBrace),
                (Kind::Weak, _) => Rule::Convention(Convention::NoCount),
                _ if has_truth => Rule::Convention(Convention::BothAdmissible),
                _ => Rule::Convention(Convention::NoPoint),
            };
            let signature = ruled(self.relation, rule);
            if !self.has(&signature) {
                let finding = self.subject.finding(self.relation, difference, signature, Some(rule), None);
                // The finding has the admissible counts of P; those of P' may differ.
                self.all.findings.push(Finding { truth: None, ..finding });
            }
        }
    }

    /// The execution of P' of `variant`, or how it died, if P' does not behave like P.
    fn otherwise(&mut self, variant: &[usize]) -> Result<Option<std::result::Result<Execution, Outcome>>> {
        Ok(match self.make(variant, Detail::Lines)? {
            Ok(made) if made.report.execution == self.subject.report.execution => None,
            Ok(made) => Some(Ok(made.report.execution)),
            Err(outcome @ Outcome::Died { .. }) => Some(Err(outcome)),
            Err(_) => None,
        })
    }

    /// Record that P' behaves differently from P. The cause is our edit, the program, or a compiler.
    fn other_output(&mut self, variant: &[usize], settings: &TriageSettings) -> Result<()> {
        let mut unstable = None;
        if settings.isolate {
            unstable = self.subject.unreliable(Kind::Output)?;
        }
        let relation = self.relation;
        let place = claim_signature(self.subject.program, self.family(), relation, "other", None);
        let mut smallest = variant.to_vec();
        if unstable.is_none() && settings.isolate && !self.has(&place) {
            let mut budget = settings.tests;
            if variant.len() > 1 {
                smallest = ddmin(variant, |part| -> Result<bool> {
                    budget = budget.saturating_sub(1);
                    Ok(budget > 0 && self.otherwise(part)?.is_some())
                })?;
            }
            // A program that depends on the clock may behave the same in nine of ten runs, P' as well as P.
            let first = self.otherwise(&smallest)?;
            for _ in 0..CONFIRMING_RUNS {
                if first.is_none() || self.otherwise(&smallest)? != first {
                    unstable = Some(Instability::DoesNotRepeat);
                    break;
                }
            }
        }
        let rule = unstable.map(Rule::Unstable);
        let signature = rule.map_or(place, |rule| ruled(relation, rule));
        if self.has(&signature) {
            return Ok(());
        }
        let difference = Difference { place: Place::Output, kind: Kind::Output, before: None, after: None };
        let finding = self.subject.finding(relation, &difference, signature, rule, None);
        let rewriting = Rewriting { isolated: settings.isolate, ..self.plan(&smallest) };
        self.all.findings.push(Finding { rewriting: Some(rewriting), ..finding });
        Ok(())
    }
}
