//! Outcomes of conditions that are exchanged or lost.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::Blocks;
use crate::diagnose::decision::{decision, decisions_on};
use crate::model::{Cause, Family, Layer, Line, Metric, Symptom};
use crate::replay::gcov::BlockRef;
use crate::replay::{CheckedNumber, What};
use crate::syntax::{PointId, PointKind};
use crate::truth::EvaluatedDecision;

impl Blocks<'_> {
    /// The cause of a wrong outcome of a condition.
    pub(super) fn condition(&self, symptom: &Symptom) -> Cause {
        // A decision on a line without conditions has the cause of its branches.
        let is_elsewhere = symptom.expected.is_empty() && symptom.reported.is_some();
        if is_elsewhere
            && let Some(found) = self
                .in_two_files(symptom.line)
                .or_else(|| self.joined_copies(symptom.line))
                .or_else(|| self.branch_on(symptom.line))
        {
            return found;
        }
        if let Some(found) = self.missing_branch(symptom).filter(Cause::is_understood) {
            return found;
        }
        if let Some(found) =
            self.exchanged_outcomes(symptom.line).or_else(|| self.outcome_before_loop(symptom))
        {
            return found;
        }
        let found = decision(self.case.truth, Family::Gcov, symptom);
        let is_named = found.is_understood();
        let other = || {
            let jump = || self.unmasked_jump(symptom).or_else(|| self.unmasked_bypass(symptom));
            let unmasked = || self.unmasked_head(symptom).or_else(jump);
            let idle = self.idle_arm(symptom.line).or_else(unmasked);
            idle.or_else(|| self.merged_decisions(symptom.line))
        };
        if is_named { found } else { other().unwrap_or(found) }
    }

    /// Why the branches of a line are missing, and its decision with them.
    fn missing_branch(&self, symptom: &Symptom) -> Option<Cause> {
        let is_branch = |number: &CheckedNumber| {
            (number.metric, number.line, number.count) == (Metric::Branch, symptom.line, None)
                && number.is_wrong()
        };
        let is_missing = symptom.reported.is_none() && self.numbers().iter().any(is_branch);
        is_missing.then(|| self.branch(&Symptom { metric: Metric::Branch, ..symptom.clone() }))
    }

    /// The fault that the copies of the conditions of an inlined function, on `line`, are one decision.
    fn joined_copies(&self, line: Line) -> Option<Cause> {
        let function = self.case.truth.functions_around(line).find(|found| found.is_inlined)?;
        let has_conditions =
            !decisions_on(self.case.truth, line).is_empty() || self.has_condition(line..=line);
        let evidence =
            format!("The decisions on line {line} are those of the copies of {} together.", function.name);
        has_conditions.then(|| merged(line, evidence))
    }

    /// The fault that the conditions of an inlined function are in a decision of the function around `line`.
    fn merged_decisions(&self, line: Line) -> Option<Cause> {
        let around = self.case.truth.functions_around(line).next()?;
        let copied = self.case.truth.functions.iter().find(|found| {
            found.is_inlined
                && (found.name == around.name || self.has_copy_in(&around.name, found.lines))
                && self.has_condition(found.lines.0..=found.lines.1)
        })?;
        let evidence = format!(
            "The conditions of {}, which is inlined, have the numbers of decisions of {}, or of other copies.",
            copied.name, around.name
        );
        Some(merged(line, evidence))
    }

    /// Whether a condition is on `lines`.
    fn has_condition(&self, lines: RangeInclusive<Line>) -> bool {
        let is_one = |kind| matches!(kind, PointKind::Condition | PointKind::Operand);
        self.case
            .truth
            .points
            .iter()
            .any(|point| is_one(point.kind) && point.line.is_some_and(|line| lines.contains(&line)))
    }

    /// Whether the graph of the function `name` has blocks on these lines of another function.
    fn has_copy_in(&self, name: &str, (from, to): (Line, Line)) -> bool {
        let mut graphs = self.replay.functions.iter().filter(|function| function.name == name);
        graphs.any(|function| {
            let blocks = 0..self.replay.notes.functions[function.index].blocks.len();
            let mut lines =
                blocks.flat_map(|block| self.lines_of(BlockRef { function: function.index, block }));
            lines.any(|line| from < line && line < to || from == to && line == from)
        })
    }

    /// The fault that an outcome which leads back to the first condition of its decision masks nothing: the decision is the test of
    /// a loop with nothing in it, or with nothing that has a block of its own.
    fn unmasked_head(&self, symptom: &Symptom) -> Option<Cause> {
        let truth = self.case.truth;
        if symptom.reported <= symptom.expected.last().copied() {
            return None;
        }
        let is_loop = |id: &PointId| truth.point(*id).kind.is_loop();
        let is_empty = |outer: PointId| {
            let runs = |id: PointId| {
                let kind = truth.point(id).kind;
                let is_run = matches!(kind, PointKind::Statement(_) | PointKind::Step);
                is_run && truth.around(id).any(|around| around == outer)
            };
            !(outer + 1..truth.points.len()).any(runs)
        };
        let of_loop = |found: &&EvaluatedDecision| {
            let first = found.chain.operands.first().map(|id| truth.root(*id));
            first.filter(is_loop).is_some_and(is_empty)
        };
        let is_head = |found: &&EvaluatedDecision| of_loop(found) || self.leads_to_first(found);
        let found = decisions_on(truth, symptom.line).into_iter().find(is_head)?;
        let element = format!("decision on line {}", found.chain.line);
        let evidence = "Nothing in the loop that it is the test of has a block of its own, so an outcome leads back to the block of its first condition.".into();
        Some(Cause::new(Layer::Mapping, "masking-through-back-edge", element, evidence))
    }

    /// Whether an outcome of a condition of `found` leads to the block that tests the first one, as the body of a `do` may be a part of it.
    fn leads_to_first(&self, found: &EvaluatedDecision) -> bool {
        let of = |id: PointId| self.tests().iter().filter(move |test| test.condition == id);
        let Some(first) = found.chain.operands.first() else { return false };
        let heads: BTreeSet<BlockRef> = of(*first).map(|test| test.block).collect();
        let leads = |block: BlockRef| {
            let mut ways = self.replay.solved[&block.function].leaving(block.block);
            ways.any(|way| heads.contains(&BlockRef { block: way.to, ..block }))
        };
        found.chain.operands[1..].iter().flat_map(|id| of(*id)).any(|test| leads(test.block))
    }

    /// `line`, and the lines of the conditions of the decisions on it.
    fn tested_on(&self, line: Line) -> BTreeSet<Line> {
        let decisions = decisions_on(self.case.truth, line);
        let operands = decisions.iter().flat_map(|found| &found.chain.operands);
        operands.filter_map(|id| self.case.truth.point(*id).line).chain([line]).collect()
    }

    /// The fault that an outcome with a location on another line, such as that of a label, masks nothing: the jumps to it have
    /// blocks of their own.
    fn unmasked_jump(&self, symptom: &Symptom) -> Option<Cause> {
        if symptom.reported <= symptom.expected.last().copied() {
            return None;
        }
        let tested = self.tested_on(symptom.line);
        let found = self.replay.solved.iter().find_map(|(function, solved)| {
            let at = |block: usize| BlockRef { function: *function, block };
            let is_test = |block: usize| {
                solved.leaving(block).count() == 2
                    && self.lines_of(at(block)).any(|line| tested.contains(&line))
            };
            let is_jump = |block: &usize| {
                let (mut from, mut to) = (solved.entering(*block), solved.leaving(*block));
                let is_between = from.next().is_some_and(|edge| is_test(edge.from)) && from.next().is_none();
                is_between && to.next().is_some() && to.next().is_none()
            };
            let jumps: Vec<usize> = (0..solved.blocks.len()).filter(is_jump).collect();
            let lines = |block: usize| self.lines_of(at(block)).collect::<BTreeSet<Line>>();
            let is_elsewhere = |block: usize| {
                let lines = lines(block);
                !lines.is_empty() && lines.is_disjoint(&tested)
            };
            let target = |block: usize| solved.leaving(block).map(|edge| edge.to).next();
            jumps
                .iter()
                .copied()
                .find(|jump| {
                    let is_same =
                        |other: &&usize| target(**other) == target(*jump) && lines(**other) == lines(*jump);
                    is_elsewhere(*jump) && jumps.iter().filter(is_same).count() > 1
                })
                .map(at)
        })?;
        let evidence =
            format!("{} is on an edge from a test to an outcome on another line.", self.name(found));
        let element = format!("decision on line {}", symptom.line);
        Some(Cause::new(Layer::Mapping, "masking-across-jump", element, evidence))
    }

    /// The fault that an operand masks nothing because a block before the decision leads from one outcome to the other, as the body
    /// of a loop that ends with `break` does.
    fn unmasked_bypass(&self, symptom: &Symptom) -> Option<Cause> {
        if symptom.reported <= symptom.expected.last().copied() {
            return None;
        }
        let tested = self.tested_on(symptom.line);
        let found = self.replay.solved.iter().find_map(|(function, solved)| {
            let at = |block: usize| BlockRef { function: *function, block };
            let real = |block: usize| solved.leaving(block).filter(|edge| !edge.is_fake).map(|edge| edge.to);
            // contract_edge_up in tree-profile.cc passes over blocks with one way in and one way out.
            let next = |block: &usize| {
                let mut ways = real(*block);
                let next = ways.next().filter(|_| solved.entering(*block).count() == 1);
                next.filter(|_| ways.next().is_none())
            };
            let is_bypass = |block: &usize| {
                let mut from = solved.entering(*block).map(|edge| edge.from);
                let test = from.next().filter(|test| {
                    block < test && self.lines_of(at(*test)).any(|line| tested.contains(&line))
                });
                let leads_to = |to: usize| std::iter::successors(next(block), next).any(|found| found == to);
                test.is_some_and(|test| real(test).filter(|to| to != block).any(leads_to))
            };
            (0..solved.blocks.len()).find(is_bypass).map(at)
        })?;
        let evidence = format!(
            "{} comes before the tests of the decision, and leads from one outcome of it to the other.",
            self.name(found)
        );
        let element = format!("decision on line {}", symptom.line);
        Some(Cause::new(Layer::Mapping, "masking-left-neighbour", element, evidence))
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
                kind if kind.is_loop() => true,
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

fn merged(line: Line, evidence: String) -> Cause {
    Cause::new(Layer::Mapping, "merged-decisions", format!("decision on line {line}"), evidence)
}
