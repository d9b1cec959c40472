//! What was shown of the conditions of a decision: modified condition/decision coverage, from the test
//! vectors that really occurred.
//!
//! Each profiler has a definition of its own. *gcc* (14 and later, `-fcondition-coverage`) has masking MC/DC
//! (Whalen, Heimdahl, De Silva, "Efficient Test Coverage Measurement for MC/DC", 2013): an outcome of a
//! condition is covered once it was not masked, and what stands to the left of `&&` is masked by a right
//! side that is false, of `||` by one that is true. *clang* (18 and later, `-fcoverage-mcdc`) looks for a pair of
//! vectors whose decisions differ and in which the condition alone differs of those evaluated in both.

use crate::model::Family;
use crate::syntax::{BooleanExpr, Chain};

/// What each operand was evaluated to in one evaluation of a decision, if it was.
type Vector = Vec<Option<bool>>;

/// A decision, and what occurred.
#[derive(Clone, Debug)]
pub struct Decided {
    /// Its operands, and how they are joined.
    pub chain: Chain,
    /// The vectors that occurred, each with what it came to.
    vectors: Vec<(Vector, bool)>,
}

impl Decided {
    /// The decision that `chain` is; `count` is that of a counter.
    pub(super) fn new(chain: Chain, count: impl Fn(u32) -> u64) -> Decided {
        let operands = chain.operands.len();
        let vectors = (1..2_u32 << operands).filter(|path| count(chain.slot + path) > 0).map(|path| {
            // The bits below the highest one, from the first operand that was evaluated on.
            let mut bits = (0..path.ilog2()).rev().map(|bit| path >> bit & 1 == 1);
            let mut vector = vec![None; operands];
            let outcome = follow(&chain.tree, &mut bits, &mut vector);
            (vector, outcome)
        });
        Decided { vectors: vectors.collect(), chain }
    }

    /// What a report of `family` has to say: of gcc's for each condition whether its true and its false outcome are
    /// covered, of clang's for each condition whether it is.
    pub fn shown(&self, family: Family) -> Vec<bool> {
        let operands = self.chain.operands.len();
        match family {
            Family::Gcov => {
                let mut shown = vec![false; 2 * operands];
                for (vector, _) in &self.vectors {
                    unmasked(&self.chain.tree, vector, false, &mut shown);
                }
                shown
            }
            Family::LlvmCov => {
                let mut shown = vec![false; operands];
                for (one, outcome) in &self.vectors {
                    for (other, _) in self.vectors.iter().filter(|(_, other)| other != outcome) {
                        let differs = |index: &usize| matches!((one[*index], other[*index]), (Some(a), Some(b)) if a != b);
                        let mut differing = (0..operands).filter(differs);
                        if let (Some(only), None) = (differing.next(), differing.next()) {
                            shown[only] = true;
                        }
                    }
                }
                shown
            }
        }
    }
}

/// Evaluate `tree` by the outcomes in `bits`, in their order, and write them down.
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

/// What `tree` came to in `vector`, if it was evaluated.
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

/// Mark in `shown` what `vector` shows of the conditions below `tree`, all of which may be masked.
fn unmasked(tree: &BooleanExpr, vector: &Vector, is_masked: bool, shown: &mut [bool]) {
    match tree {
        BooleanExpr::Condition(index) => {
            if let Some(outcome) = vector[*index].filter(|_| !is_masked) {
                shown[2 * index + usize::from(!outcome)] = true;
            }
        }
        BooleanExpr::Not(inner) => unmasked(inner, vector, is_masked, shown),
        BooleanExpr::And(left, right) => {
            unmasked(left, vector, is_masked || outcome(right, vector) == Some(false), shown);
            unmasked(right, vector, is_masked, shown);
        }
        BooleanExpr::Or(left, right) => {
            unmasked(left, vector, is_masked || outcome(right, vector) == Some(true), shown);
            unmasked(right, vector, is_masked, shown);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(a && b) || c`, of which the paths in `occurred` occurred.
    fn decided(occurred: &[u32]) -> Decided {
        let operand = |index| Box::new(BooleanExpr::Condition(index));
        let tree = BooleanExpr::Or(Box::new(BooleanExpr::And(operand(0), operand(1))), operand(2));
        let chain = Chain { tree, operands: vec![0, 1, 2], slot: 40, start: (1, 1), is_on_one_line: true };
        Decided::new(chain, |slot| u64::from(occurred.contains(&(slot - 40))))
    }

    #[test]
    fn a_path_is_a_vector() {
        // a, not b, c; not a, not c; a, b.
        let found = decided(&[0b1101, 0b100, 0b111]);
        let told = |a, b, c| vec![a, b, c];
        let expected = [
            (told(Some(false), None, Some(false)), false),
            (told(Some(true), Some(true), None), true),
            (told(Some(true), Some(false), Some(true)), true),
        ];
        assert_eq!(found.vectors, expected);
    }

    // Worked out by the definitions: `c` decides the second vector, so it masks both a and b there.
    #[test]
    fn gcc_covers_what_is_not_masked_and_clang_what_differs_alone() {
        let found = decided(&[0b1101, 0b100, 0b111]);
        // True and false of a, of b, of c.
        assert_eq!(found.shown(Family::Gcov), [true, true, true, false, true, true]);
        assert_eq!(found.shown(Family::LlvmCov), [true, false, false]);
        assert_eq!(decided(&[]).shown(Family::Gcov), [false; 6]);
    }
}
