//! Outcomes of conditions that are exchanged or lost.

use std::collections::BTreeMap;

use super::Blocks;
use crate::diagnose::decision::{decision, decisions_on};
use crate::model::{Cause, Family, Layer, Line, Symptom};
use crate::replay::{CheckedNumber, What};
use crate::syntax::{PointId, PointKind, StatementKind};
use crate::truth::EvaluatedDecision;

impl Blocks<'_> {
    /// The cause of a wrong outcome of a condition.
    pub(super) fn condition(&self, symptom: &Symptom) -> Cause {
        // A decision on a line without conditions has the cause of its branches.
        if symptom.expected.is_empty()
            && let Some(found) = self.branch_on(symptom.line)
        {
            return found;
        }
        let found = self.exchanged_outcomes(symptom.line).or_else(|| self.outcome_before_loop(symptom));
        found.unwrap_or_else(|| decision(self.case.truth, Family::Gcov, symptom))
    }

    /// The fault that the outcomes of a condition are exchanged: one is covered and the other one occurred. If those of several
    /// conditions are, each in another way, decisions may be exchanged.
    fn exchanged_outcomes(&self, line: Line) -> Option<Cause> {
        let mut wrong: BTreeMap<(usize, usize), BTreeMap<bool, Option<u64>>> = BTreeMap::new();
        let on_line = |number: &&CheckedNumber| number.line == line && number.is_wrong();
        for number in self.numbers().iter().filter(on_line) {
            if let What::Condition { decision, condition, outcome: Some(outcome) } = &number.what {
                let outcomes = wrong.entry((decision.index, *condition)).or_default();
                outcomes.insert(*outcome, number.count);
            }
        }
        let mut ways = wrong.values().map(|outcomes| (outcomes.get(&true), outcomes.get(&false)));
        let way = ways.next()?;
        let is_exchange = matches!(way, (Some(Some(0)), Some(Some(1))) | (Some(Some(1)), Some(Some(0))));
        if !is_exchange || ways.any(|other| other != way) {
            return None;
        }
        let (of_decision, condition) = wrong.keys().next()?;
        let evidence = format!(
            "Condition {condition} of decision {of_decision} on line {line} was only {}, and only the other outcome is covered.",
            way.0 == Some(&Some(0))
        );
        let element = format!("condition {condition} of decision {of_decision} on line {line}");
        Some(Cause::new(Layer::Mapping, "exchanged-outcomes", element, evidence))
    }

    /// The fault that a loop in an operand clears the outcomes of the conditions before it.
    fn outcome_before_loop(&self, symptom: &Symptom) -> Option<Cause> {
        let truth = self.case.truth;
        if symptom.reported >= symptom.expected.first().copied() {
            return None;
        }
        let is_loop_in = |id: PointId, operand: PointId| {
            let point = truth.point(id);
            let is_loop = match point.kind {
                PointKind::Statement(StatementKind::While | StatementKind::Do | StatementKind::For) => true,
                PointKind::Label => point.fallen < point.count,
                _ => false,
            };
            is_loop && truth.around(id).any(|outer| outer == operand)
        };
        let has_loop = |operand: &PointId| (*operand..truth.points.len()).any(|id| is_loop_in(id, *operand));
        let has_loop_after_first =
            |found: &&EvaluatedDecision| found.chain.operands.iter().skip(1).any(has_loop);
        let found = decisions_on(truth, symptom.line).into_iter().find(has_loop_after_first)?;
        let element = format!("decision on line {}", found.chain.line);
        let evidence = "An operand after the first one contains a loop.".into();
        Some(Cause::new(Layer::Mapping, "outcome-before-loop", element, evidence))
    }
}
