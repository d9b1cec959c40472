//! Wrong decisions: which conditions are covered, and the outcomes of test vectors.

use crate::model::{Cause, Family, Layer, Line, Symptom};
use crate::syntax::{BooleanExpr, PointId, PointKind};
use crate::truth::{EvaluatedDecision, Truth};

/// The construct of a decision with a `!` around one of its parts.
const NEGATED: &str = "negated-part";

/// The cause of a wrong number of a decision: the first decision of the source on the line says what it consists of.
pub(super) fn decision(truth: &Truth, family: Family, symptom: &Symptom) -> Cause {
    let here = decisions_on(truth, symptom.line);
    let kind = match here.first() {
        _ if here.iter().any(|found| is_negated(&found.chain.tree)) => NEGATED,
        Some(found) if found.chain.is_nested => "nested-decision",
        Some(_) => "decision",
        None => "condition",
    };
    let element = format!("decision on line {}", symptom.line);
    let tool = family.name();
    // Such a decision may lose its vectors, or add its conditions to those of the decision around it.
    let may_be_arm = symptom.reported.is_none_or(|reported| reported == 0) || symptom.expected.is_empty();
    if family == Family::LlvmCov
        && may_be_arm
        && here.iter().any(|found| is_in_tested_conditional(truth, found))
    {
        let evidence = "The decision is in a conditional expression that is tested.".into();
        return Cause::new(Layer::Mapping, "decision-in-tested-arm", element, evidence);
    }
    if symptom.reported.is_none() {
        let evidence = format!("{tool} does not report what the test vectors show.");
        return Cause::new(Layer::Missing, &format!("missing/{kind}"), element, evidence);
    }
    if kind == NEGATED && family == Family::LlvmCov {
        let evidence = "A part of the decision has a `!` around it, and outcomes of vectors are inverted.";
        return Cause::new(Layer::Mapping, "outcome-of-last-condition", element, evidence.into());
    }
    let is_arm_in = |arm: PointId, id: PointId| {
        let mut around = std::iter::successors(truth.point(arm).within, |id| truth.point(*id).within);
        truth.point(arm).kind == PointKind::Arm && around.any(|outer| outer == id)
    };
    let has_blocks = |id: &PointId| {
        let point = truth.point(*id);
        let mut parts = (*id + 1..truth.points.len()).take_while(|part| truth.point(*part).within.is_some());
        point.completed.is_some() || point.holds_block || parts.any(|part| is_arm_in(part, *id))
    };
    let is_divided = |found: &&EvaluatedDecision| {
        let operands = &found.chain.operands;
        operands.get(1..operands.len().saturating_sub(1)).unwrap_or_default().iter().any(has_blocks)
    };
    if family == Family::Gcov
        && symptom.reported > symptom.expected.last().copied()
        && here.iter().any(is_divided)
    {
        let evidence =
            "An operand between the first and the last one contains a call or a branch of its own.".into();
        return Cause::new(Layer::Mapping, "masking-across-call", element, evidence);
    }
    let evidence = "The test vectors that occurred give another result.".into();
    Cause::new(Layer::Mapping, &format!("mapping/outcome/{kind}"), element, evidence)
}

/// The decisions that are on `line`, begin there in the text of a macro, or have a condition there.
pub(super) fn decisions_on(truth: &Truth, line: Line) -> Vec<&EvaluatedDecision> {
    // A decision in a macro is in the definition.
    let typed: Vec<usize> = truth.typed_on(line).iter().map(|token| token.offset).collect();
    let is_here = |found: &&EvaluatedDecision| {
        let mut lines = found.chain.operands.iter().filter_map(|id| truth.point(*id).line);
        found.chain.line == line || typed.contains(&found.chain.offset) || lines.any(|at| at == line)
    };
    truth.decisions.iter().filter(is_here).collect()
}

/// Whether the decision is the condition or an arm of a `?:` that is a condition or an operand itself.
fn is_in_tested_conditional(truth: &Truth, found: &EvaluatedDecision) -> bool {
    let Some(first) = found.chain.operands.first() else { return false };
    let around = std::iter::successors(truth.point(*first).within, |id| truth.point(*id).within);
    let mut parts =
        around.filter(|id| matches!(truth.point(*id).kind, PointKind::Arm | PointKind::Condition));
    parts.any(|part| {
        let whole = truth.point(part).within.map(|id| truth.point(id).kind);
        matches!(whole, Some(PointKind::Condition | PointKind::Operand))
    })
}

/// Whether `!` of a part is in it.
fn is_negated(tree: &BooleanExpr) -> bool {
    match tree {
        BooleanExpr::Condition(_) => false,
        BooleanExpr::Not(_) => true,
        BooleanExpr::And(left, right) | BooleanExpr::Or(left, right) => is_negated(left) || is_negated(right),
    }
}
