//! The distance of a condition from its other outcome, in the type in which C compares its operands.
//!
//! The distance of two integers is their difference; the distance of two floats is the number of values between them. NaN
//! is far from everything. The papers use the difference of the values instead (FloPSy's table 1; CoverMe squares it),
//! so each distance has both.

use super::run::{Visit, operand};
use crate::model::Number;
use crate::syntax::search::{Comparison, Probes};

/// The distance of NaN from any number: farther than two integers can be.
const FAR: u128 = 1 << 66;

/// FloPSy's K: the distance of a condition that is met as soon as its operands differ.
const K: f64 = 1.0;

/// The distance of a run from a target; 0 means that the target is met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The number of values between the operands, plus one if equality is not enough.
    pub steps: u128,
    /// A second measure for equalities: the bits that differ for integers, the difference of the values for floats.
    pub other: u128,
    /// The difference of the operands' values: FloPSy's table 1.
    pub value: f64,
}

impl Distance {
    pub const ZERO: Distance = Distance { steps: 0, other: 0, value: 0.0 };
    /// The distance of a condition that is not met, if nothing else is known about its distance.
    pub const ONE: Distance = Distance { steps: 1, other: 1, value: K };

    /// The distance from meeting both.
    #[must_use]
    pub fn and(self, then: Distance) -> Distance {
        Distance {
            steps: self.steps + then.steps,
            other: self.other + then.other,
            value: self.value + then.value,
        }
    }

    /// The distance from meeting either.
    #[must_use]
    pub fn or(self, other: Distance) -> Distance {
        Distance {
            steps: self.steps.min(other.steps),
            other: self.other.min(other.other),
            value: self.value.min(other.value),
        }
    }

    pub fn is_zero(self) -> bool {
        self.steps == 0
    }
}

/// The operands of a comparison, in the type in which C compares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    pub number: Number,
    /// The bits of the operands in that type.
    pub left: u64,
    pub right: u64,
}

impl Compared {
    pub fn values(self) -> (f64, f64) {
        (self.number.value(self.left), self.number.value(self.right))
    }

    /// The left operand minus the right one, in steps from value to value.
    pub fn steps(self) -> i128 {
        self.number.ordinal(self.left) - self.number.ordinal(self.right)
    }

    /// Whether C finds the operands equal.
    pub fn is_equal(self) -> bool {
        let (left, right) = self.values();
        self.left == self.right && !left.is_nan() || self.number.is_float() && left == 0.0 && right == 0.0
    }

    /// 1 if the left operand is greater, -1 if the right one is, else 0.
    pub fn side(self) -> i128 {
        let (left, right) = self.values();
        if left.is_nan() || right.is_nan() { 0 } else { self.steps().signum() }
    }
}

/// The operands of `visit` after the usual arithmetic conversions.
pub fn compared(visit: &Visit) -> Compared {
    let number = operand(visit.left_type.max(visit.right_type));
    let convert = |code: u8, bits: u64| {
        let own = operand(code);
        match (own.is_float(), number.is_float()) {
            _ if own == number => bits,
            (false, false) => number.wrap(bits),
            _ => number.nearest(own.value(bits)),
        }
    };
    Compared {
        number,
        left: convert(visit.left_type, visit.left),
        right: convert(visit.right_type, visit.right),
    }
}

/// The distance of `visit`, of a condition in `probes`, from `outcome`.
pub fn from_outcome(probes: &Probes, visit: &Visit, outcome: bool, parts: &[u64]) -> Distance {
    distance(probes.conditions[visit.index()].comparison, visit, outcome, parts)
}

/// The distance of `visit`, of a condition that compares with `comparison`, from `outcome`. If its left side is `p | q`,
/// `parts` are the operands.
pub fn distance(comparison: Comparison, visit: &Visit, outcome: bool, parts: &[u64]) -> Distance {
    if (visit.outcome != 0) == outcome {
        return Distance::ZERO;
    }
    if visit.compares_pointers() {
        return Distance::ONE;
    }
    let pair = compared(visit);
    let (x, y) = pair.values();
    if x.is_nan() || y.is_nan() {
        return Distance { steps: FAR, other: FAR, value: f64::MAX };
    }
    let gap = pair.steps().unsigned_abs();
    let value = (x - y).abs();
    let (steps, other) = match if outcome { comparison } else { comparison.negated() } {
        Comparison::Unequal => return Distance::ONE,
        Comparison::Equal if parts.len() > 1 => in_parts(parts),
        Comparison::Equal if pair.number.is_float() => (gap, u128::from(value.to_bits())),
        Comparison::Equal => (gap, u128::from((pair.left ^ pair.right).count_ones())),
        Comparison::AtMost | Comparison::AtLeast => (gap, gap),
        Comparison::Less | Comparison::Greater => (gap + 1, gap + 1),
    };
    // Operands can be equal where that is not enough: `a < b`, or a difference that rounds to 0.
    let value = if value == 0.0 { f64::MIN_POSITIVE } else { value };
    Distance { steps: steps.max(1), other: other.max(1), value }
}

/// `(p | q) == 0` requires two zeros. The first operand has the most weight, like the high word of a double.
fn in_parts(parts: &[u64]) -> (u128, u128) {
    let mut steps = 0;
    for (at, part) in parts.iter().enumerate() {
        let word = if at == 0 { part.cast_signed().unsigned_abs() } else { part & 0xffff_ffff };
        steps = (steps << 32) + u128::from(word);
    }
    let bits: u32 = parts.iter().map(|part| part.count_ones()).sum();
    (steps.min(FAR), u128::from(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: u8 = 0;
    const UNSIGNED: u8 = 1;
    const LONG: u8 = 2;
    const FLOAT: u8 = 4;
    const DOUBLE: u8 = 5;

    fn visit(left: (u8, u64), right: (u8, u64), outcome: bool) -> Visit {
        Visit {
            outcome: outcome.into(),
            left_type: left.0,
            left: left.1,
            right_type: right.0,
            right: right.1,
            ..Visit::default()
        }
    }

    #[test]
    fn operands_are_compared_as_c_does() {
        // -1 < 1u is false: both are unsigned.
        let mixed = visit((INT, u64::MAX), (UNSIGNED, 1), false);
        assert_eq!(distance(Comparison::Less, &mixed, true, &[]).steps, 0xffff_ffff);
        let signed = visit((INT, u64::MAX), (LONG, 1), true);
        assert_eq!(distance(Comparison::Less, &signed, false, &[]).steps, 2);
        let float = visit((FLOAT, u64::from(1.0_f32.to_bits())), (INT, 2), false);
        assert_eq!(distance(Comparison::Equal, &float, true, &[]).steps, 1 << 23);
    }

    #[test]
    fn nan_is_far_and_a_met_outcome_has_distance_0() {
        let nan = visit((DOUBLE, f64::NAN.to_bits()), (DOUBLE, 0), false);
        assert_eq!(distance(Comparison::Less, &nan, true, &[]).steps, FAR);
        assert!(distance(Comparison::Less, &nan, false, &[]).is_zero());
    }

    #[test]
    fn the_first_word_outweighs_the_second() {
        let or = visit((INT, 3), (INT, 0), false);
        let near = distance(Comparison::Equal, &or, true, &[0, 0xffff_ffff]);
        let far = distance(Comparison::Equal, &or, true, &[1, 0]);
        assert!(near.steps < far.steps);
    }
}
