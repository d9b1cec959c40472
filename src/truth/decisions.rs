//! Modified condition/decision coverage (MC/DC): the conditions of a decision that the observed test vectors cover.
//!
//! Each profiler has its own definition. *gcc* (14 and later, `-fcondition-coverage`) has masking MC/DC (Whalen, Heimdahl,
//! De Silva, "Efficient Test Coverage Measurement for MC/DC", 2013): an outcome of a condition is covered once it was not
//! masked, and the left operand of `&&` is masked by a right operand that is false, that of `||` by one that is true.
//! *clang* (18 and later, `-fcoverage-mcdc`) looks for a pair of vectors with different outcomes in which, of the conditions
//! evaluated in both, exactly one differs.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::model::Family;
use crate::syntax::{BooleanExpr, Chain};

/// The value of each operand in one evaluation of a decision; none if it was not evaluated.
pub type Vector = Vec<Option<bool>>;

/// A decision and the vectors that occurred, each with its outcome.
#[derive(Clone, Debug)]
pub struct EvaluatedDecision {
    pub chain: Chain,
    pub vectors: Vec<(Vector, bool)>,
}

impl EvaluatedDecision {
    /// The decision of `chain`, where `count` returns the count of a counter.
    pub(super) fn new(chain: Chain, count: impl Fn(u32) -> u64) -> EvaluatedDecision {
        let operands = chain.operands.len();
        let occurred = (0..chain.paths).filter(|path| count(chain.first_counter + path) > 0);
        let vectors = occurred.map(|path| {
            let (mut left, mut vector) = (path, vec![None; operands]);
            let outcome = follow(&chain.tree, &chain.steps, &mut left, &mut vector);
            (vector, outcome)
        });
        EvaluatedDecision { vectors: vectors.collect(), chain }
    }

    /// The same without the operands for which `constant` returns a value, by their indices. None if they decide the outcome.
    pub fn simplified(&self, constant: impl Fn(usize) -> Option<bool>) -> Option<EvaluatedDecision> {
        let tree = self.chain.tree.simplified(&constant).ok()?;
        let left = tree.conditions();
        let operands = left.iter().map(|index| self.chain.operands[*index]).collect();
        let of_left = |vector: &Vector| left.iter().map(|index| vector[*index]).collect();
        Some(EvaluatedDecision {
            chain: Chain { tree: tree.renumbered(&left), operands, ..self.chain.clone() },
            vectors: self.vectors.iter().map(|(vector, outcome)| (of_left(vector), *outcome)).collect(),
        })
    }

    /// The same with each part whose operands are one of `ranges` as one operand. None if one operand is left, which is no decision.
    pub fn merged(&self, ranges: &[Range<usize>]) -> Option<EvaluatedDecision> {
        let mut parts = Vec::new();
        let tree = self.chain.tree.merged(ranges, &mut parts);
        if parts.len() < 2 {
            return None;
        }
        let operands = parts.iter().map(|part| self.chain.operands[part.conditions()[0]]).collect();
        let mut vectors: Vec<(Vector, bool)> = Vec::new();
        for (vector, is_true) in &self.vectors {
            let merged = (parts.iter().map(|part| outcome(part, vector)).collect(), *is_true);
            if !vectors.contains(&merged) {
                vectors.push(merged);
            }
        }
        Some(EvaluatedDecision { chain: Chain { tree, operands, ..self.chain.clone() }, vectors })
    }

    /// The flags that a report of `family` must contain. For gcc, each condition has two flags: whether its true and
    /// its false outcome are covered. For clang, each condition has one flag: whether it is covered.
    pub fn covered(&self, family: Family) -> Vec<bool> {
        let operands = self.chain.operands.len();
        match family {
            Family::Gcov => {
                let mut covered = vec![false; 2 * operands];
                for (vector, _) in &self.vectors {
                    unmasked(&self.chain.tree, vector, false, &mut covered);
                }
                covered
            }
            Family::LlvmCov => {
                let mut covered = vec![false; operands];
                for (one, outcome) in &self.vectors {
                    for (other, _) in self.vectors.iter().filter(|(_, other)| other != outcome) {
                        let differs = |index: &usize| matches!((one[*index], other[*index]), (Some(a), Some(b)) if a != b);
                        let mut differing = (0..operands).filter(differs);
                        if let (Some(only), None) = (differing.next(), differing.next()) {
                            covered[only] = true;
                        }
                    }
                }
                covered
            }
        }
    }
}

/// The outcome of `tree` on a path, of which `left` is what the operands from here on add. Their outcomes are stored in `vector`.
fn follow(tree: &BooleanExpr, steps: &BTreeMap<usize, u32>, left: &mut u32, vector: &mut Vector) -> bool {
    match tree {
        BooleanExpr::Condition(index) => {
            let is_true = *left < steps[index];
            if !is_true {
                *left -= steps[index];
            }
            vector[*index] = Some(is_true);
            is_true
        }
        BooleanExpr::Not(inner) => !follow(inner, steps, left, vector),
        BooleanExpr::And(one, other) => {
            follow(one, steps, left, vector) && follow(other, steps, left, vector)
        }
        BooleanExpr::Or(one, other) => follow(one, steps, left, vector) || follow(other, steps, left, vector),
    }
}

/// The outcome of `tree` in `vector`, if it was evaluated.
fn outcome(tree: &BooleanExpr, vector: &Vector) -> Option<bool> {
    match tree {
        BooleanExpr::Condition(index) => vector[*index],
        BooleanExpr::Not(inner) => outcome(inner, vector).map(|found| !found),
        BooleanExpr::And(left, right) if outcome(left, vector)? => outcome(right, vector),
        BooleanExpr::Or(left, right) if !outcome(left, vector)? => outcome(right, vector),
        BooleanExpr::And(..) => Some(false),
        BooleanExpr::Or(..) => Some(true),
    }
}

/// Set the flags in `covered` of the conditions below `tree` that `vector` covers; `is_masked` says that all are masked.
fn unmasked(tree: &BooleanExpr, vector: &Vector, is_masked: bool, covered: &mut [bool]) {
    match tree {
        BooleanExpr::Condition(index) => {
            if let Some(outcome) = vector[*index].filter(|_| !is_masked) {
                covered[2 * index + usize::from(!outcome)] = true;
            }
        }
        BooleanExpr::Not(inner) => unmasked(inner, vector, is_masked, covered),
        BooleanExpr::And(left, right) => {
            unmasked(left, vector, is_masked || outcome(right, vector) == Some(false), covered);
            unmasked(right, vector, is_masked, covered);
        }
        BooleanExpr::Or(left, right) => {
            unmasked(left, vector, is_masked || outcome(right, vector) == Some(true), covered);
            unmasked(right, vector, is_masked, covered);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;

    /// `(a && b) || c`, of which the paths in `occurred` occurred.
    fn decided(occurred: &[u32]) -> EvaluatedDecision {
        let operand = |index| Box::new(BooleanExpr::Condition(index));
        let tree = BooleanExpr::Or(Box::new(BooleanExpr::And(operand(0), operand(1))), operand(2));
        // A path for each of: a, b; a, not b, c; a, not b, not c; not a, c; not a, not c.
        let (steps, paths) = tree.path_steps(5).unwrap();
        let chain = Chain {
            tree,
            operands: vec![0, 1, 2],
            first_counter: 40,
            paths,
            steps,
            line: 1,
            offset: 0,
            is_condition: true,
            has_prefix: false,
            is_nested: false,
        };
        EvaluatedDecision::new(chain, |counter| u64::from(occurred.contains(&(counter - 40))))
    }

    #[test]
    fn a_path_is_a_vector() {
        // a, b; a, not b, c; not a, not c.
        let found = decided(&[0, 1, 4]);
        let expected = [
            (vec![Some(true), Some(true), None], true),
            (vec![Some(true), Some(false), Some(true)], true),
            (vec![Some(false), None, Some(false)], false),
        ];
        assert_eq!(found.vectors, expected);
    }

    #[test]
    fn a_part_of_a_decision_may_be_one_operand() {
        let found = decided(&[0, 1, 3, 4]).merged(from_ref(&(0..2))).unwrap();
        // Both true; the first true and the second not; the first not.
        let expected = [
            (vec![Some(true), None], true),
            (vec![Some(false), Some(true)], true),
            (vec![Some(false), Some(false)], false),
        ];
        assert_eq!(found.vectors, expected);
        assert_eq!(found.chain.operands, [0, 2]);
        assert!(decided(&[]).merged(from_ref(&(0..3))).is_none());
        assert_eq!(decided(&[0, 1, 4]).merged(&[]).unwrap().vectors, decided(&[0, 1, 4]).vectors);
    }

    // Derived from the definitions: `c` decides the first vector, so it masks both a and b there.
    #[test]
    fn gcc_covers_unmasked_outcomes_and_clang_conditions_that_differ_alone() {
        let found = decided(&[0, 1, 4]);
        // True and false of a, of b, of c.
        assert_eq!(found.covered(Family::Gcov), [true, true, true, false, true, true]);
        assert_eq!(found.covered(Family::LlvmCov), [true, false, false]);
        assert_eq!(decided(&[]).covered(Family::Gcov), [false; 6]);
    }
}
