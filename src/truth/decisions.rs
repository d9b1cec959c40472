//! Modified condition/decision coverage (MC/DC): the conditions of a decision that the observed test vectors cover.
//!
//! Each profiler has its own definition. *gcc* (14 and later, `-fcondition-coverage`) has masking MC/DC (Whalen, Heimdahl,
//! De Silva, "Efficient Test Coverage Measurement for MC/DC", 2013): an outcome of a condition is covered once it was not
//! masked, and the left operand of `&&` is masked by a right operand that is false, that of `||` by one that is true.
//! *clang* (18 and later, `-fcoverage-mcdc`) looks for a pair of vectors with different outcomes in which, of the conditions
//! evaluated in both, exactly one differs.

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
        let vectors =
            (1..2_u32 << operands).filter(|path| count(chain.first_counter + path) > 0).map(|path| {
                // The bits below the highest one, from the first operand that was evaluated on.
                let mut bits = (0..path.ilog2()).rev().map(|bit| path >> bit & 1 == 1);
                let mut vector = vec![None; operands];
                let outcome = follow(&chain.tree, &mut bits, &mut vector);
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

/// The outcome of `tree` by the outcomes in `bits`, in their order, which are stored in `vector`.
fn follow(tree: &BooleanExpr, bits: &mut impl Iterator<Item = bool>, vector: &mut Vector) -> bool {
    match tree {
        BooleanExpr::Condition(index) => {
            let outcome = bits.next();
            vector[*index] = outcome;
            outcome == Some(true)
        }
        BooleanExpr::Not(inner) => !follow(inner, bits, vector),
        BooleanExpr::And(left, right) => follow(left, bits, vector) && follow(right, bits, vector),
        BooleanExpr::Or(left, right) => follow(left, bits, vector) || follow(right, bits, vector),
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
    use super::*;

    /// `(a && b) || c`, of which the paths in `occurred` occurred.
    fn decided(occurred: &[u32]) -> EvaluatedDecision {
        let operand = |index| Box::new(BooleanExpr::Condition(index));
        let tree = BooleanExpr::Or(Box::new(BooleanExpr::And(operand(0), operand(1))), operand(2));
        let chain = Chain {
            tree,
            operands: vec![0, 1, 2],
            first_counter: 40,
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
        // a, not b, c; not a, not c; a, b.
        let found = decided(&[0b1101, 0b100, 0b111]);
        let expected = [
            (vec![Some(false), None, Some(false)], false),
            (vec![Some(true), Some(true), None], true),
            (vec![Some(true), Some(false), Some(true)], true),
        ];
        assert_eq!(found.vectors, expected);
    }

    // Derived from the definitions: `c` decides the first vector, so it masks both a and b there.
    #[test]
    fn gcc_covers_unmasked_outcomes_and_clang_conditions_that_differ_alone() {
        let found = decided(&[0b1101, 0b100, 0b111]);
        // True and false of a, of b, of c.
        assert_eq!(found.covered(Family::Gcov), [true, true, true, false, true, true]);
        assert_eq!(found.covered(Family::LlvmCov), [true, false, false]);
        assert_eq!(decided(&[]).covered(Family::Gcov), [false; 6]);
    }
}
