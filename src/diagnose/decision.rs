//! Wrong decisions: which conditions are covered, and the outcomes of test vectors.

use crate::model::{Cause, Family, Layer, Line, Symptom};
use crate::syntax::{BooleanExpr, PointId, PointKind, StatementKind};
use crate::truth::{CountedPoint, EvaluatedDecision, Truth};

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
    if family == Family::LlvmCov
        && let Some(line) = expected_part_before(truth, &here, symptom)
    {
        let evidence = format!(
            "A part of the decision on line {line} is a chain in __builtin_expect, and it was false at least once."
        );
        let element = format!("decision on line {line}");
        return Cause::new(Layer::Mapping, "expected-chain-recorded-twice", element, evidence);
    }
    // clang emits the selected code of such a `switch` only (EmitSwitchStmt in CGStmt.cpp).
    let is_switched = |found: &&EvaluatedDecision| {
        let first = found.chain.operands.first().map(|id| truth.point(truth.root(*id)));
        let is_switch = |root: &CountedPoint| root.kind == PointKind::Statement(StatementKind::Switch);
        first.is_some_and(|root| is_switch(root) && root.is_evaluable)
    };
    if family == Family::LlvmCov && symptom.reported.is_none() && here.iter().any(is_switched) {
        let evidence = "The decision is in the value of a `switch`, which clang evaluates.".into();
        return Cause::new(Layer::Counter, "folded-condition", element, evidence);
    }
    let is_in_expect = |found: &&EvaluatedDecision| {
        let first = found.chain.operands.first().copied();
        found.chain.operands.len() > 2
            && std::iter::successors(first, |id| truth.point(*id).within)
                .any(|id| truth.point(id).may_be_chain)
    };
    if family == Family::Gcov && symptom.reported.is_none() && here.iter().any(is_in_expect) {
        let evidence =
            "The decision is in __builtin_expect, and no decision of the report has as many conditions.";
        return Cause::new(Layer::Mapping, "divided-in-expect", element, evidence.into());
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
    if family == Family::Gcov && symptom.reported > symptom.expected.last().copied() {
        let evidence = if here.iter().any(is_divided) {
            Some("An operand between the first and the last one contains a call or a branch of its own.")
        } else if here.iter().any(|found| is_nested_twice(&found.chain.tree)) {
            Some(
                "Its right operand is a group, and so is the right operand of that, with the other operator.",
            )
        } else {
            None
        };
        if let Some(evidence) = evidence {
            return Cause::new(Layer::Mapping, "masking-left-neighbour", element, evidence.into());
        }
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

/// The line of a decision with a chain in `__builtin_expect` as a part of it that was false: one of those `here`, or if a condition
/// is wrongly covered one before them in their function, whose vectors may be outside of its part of the bitmap.
fn expected_part_before(truth: &Truth, here: &[&EvaluatedDecision], symptom: &Symptom) -> Option<Line> {
    let function_of = |found: &EvaluatedDecision| Some(truth.point(*found.chain.operands.first()?).function);
    let is_part = |id: PointId| {
        let point = truth.point(id);
        point.kind == PointKind::Operand && point.may_be_chain
    };
    let has_part = |found: &EvaluatedDecision| {
        let around = |id: &PointId| std::iter::successors(Some(*id), |id| truth.point(*id).within);
        found.chain.operands.iter().flat_map(around).any(is_part)
            && found.vectors.iter().any(|(vector, _)| vector.contains(&Some(false)))
    };
    let is_more = symptom.reported > symptom.expected.last().copied();
    let is_near = |found: &EvaluatedDecision| {
        here.iter().any(|own| {
            own.chain.offset == found.chain.offset
                || is_more && own.chain.offset > found.chain.offset && function_of(own) == function_of(found)
        })
    };
    let mut found = truth.decisions.iter().filter(|found| is_near(found) && has_part(found));
    found.next_back().map(|found| found.chain.line)
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

/// Whether a part of `tree` is a chain as `a || (b && (c || d))`, whose operators alternate to the right.
fn is_nested_twice(tree: &BooleanExpr) -> bool {
    use BooleanExpr::{And, Or};
    let is_one = match tree {
        Or(_, right) => matches!(&**right, And(_, last) if matches!(**last, Or(..))),
        And(_, right) => matches!(&**right, Or(_, last) if matches!(**last, And(..))),
        _ => false,
    };
    is_one
        || match tree {
            BooleanExpr::Condition(_) => false,
            BooleanExpr::Not(inner) => is_nested_twice(inner),
            And(left, right) | Or(left, right) => is_nested_twice(left) || is_nested_twice(right),
        }
}

/// Whether `!` of a part is in it.
fn is_negated(tree: &BooleanExpr) -> bool {
    match tree {
        BooleanExpr::Condition(_) => false,
        BooleanExpr::Not(_) => true,
        BooleanExpr::And(left, right) | BooleanExpr::Or(left, right) => is_negated(left) || is_negated(right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_nested_twice_if_its_operators_alternate_to_the_right() {
        let leaf = |index| Box::new(BooleanExpr::Condition(index));
        let both = |left, right| Box::new(BooleanExpr::And(left, right));
        let any = |left, right| Box::new(BooleanExpr::Or(left, right));
        // a || (b && (c || d)), a && (b || (c && d)), and the same as an operand.
        assert!(is_nested_twice(&any(leaf(0), both(leaf(1), any(leaf(2), leaf(3))))));
        assert!(is_nested_twice(&both(leaf(0), any(leaf(1), both(leaf(2), leaf(3))))));
        let inner = any(leaf(1), both(leaf(2), any(leaf(3), leaf(4))));
        assert!(is_nested_twice(&both(leaf(0), inner)));
        // a || (b && c), a || ((b || c) && d), (a && (b || c)) || d.
        assert!(!is_nested_twice(&any(leaf(0), both(leaf(1), leaf(2)))));
        assert!(!is_nested_twice(&any(leaf(0), both(any(leaf(1), leaf(2)), leaf(3)))));
        assert!(!is_nested_twice(&any(both(leaf(0), any(leaf(1), leaf(2))), leaf(3))));
    }
}
