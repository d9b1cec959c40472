//! How far a condition was from the other outcome, in the type in which C compares.
//!
//! Integers are as far apart as their difference, floats as many values as lie between them, NaN far
//! from everything. The papers' distances are differences of values instead (FloPSy's table 1; CoverMe squares
//! them), so that each visit has both.

use super::run::Visit;
use crate::model::Number;
use crate::syntax::search::Comparison;

/// How far NaN is from any number, and what never was compared from anything: farther than integers can be.
pub const FAR: u128 = 1 << 66;

/// FloPSy's K: how far what differs from nothing is from differing.
const K: f64 = 1.0;

/// How far a run was from a target; 0 is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// In values between the operands, plus one where equality is not enough.
    pub steps: u128,
    /// A second opinion for equalities: bits that differ for integers, the difference of values for floats.
    pub other: u128,
    /// The difference of the operands' values: FloPSy's table 1.
    pub value: f64,
}

impl Distance {
    /// There.
    pub const ZERO: Distance = Distance { steps: 0, other: 0, value: 0.0 };

    /// Both have to be met.
    #[must_use]
    pub fn and(self, then: Distance) -> Distance {
        Distance {
            steps: self.steps + then.steps,
            other: self.other + then.other,
            value: self.value + then.value,
        }
    }

    /// The nearer one will do.
    #[must_use]
    pub fn or(self, other: Distance) -> Distance {
        Distance {
            steps: self.steps.min(other.steps),
            other: self.other.min(other.other),
            value: self.value.min(other.value),
        }
    }

    /// Whether it is there.
    pub fn is_zero(self) -> bool {
        self.steps == 0
    }
}

/// The type of an operand after promotion, as the harness numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operand {
    /// `int`, and all that is promoted to it.
    Int,
    /// `unsigned int`
    Unsigned,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`, reported as a double.
    LongDouble,
    /// A pointer.
    Pointer,
}

impl Operand {
    const ALL: [Operand; 8] = [
        Operand::Int,
        Operand::Unsigned,
        Operand::Long,
        Operand::UnsignedLong,
        Operand::Float,
        Operand::Double,
        Operand::LongDouble,
        Operand::Pointer,
    ];

    /// The type that the harness calls `code`.
    pub fn of(code: u8) -> Operand {
        Operand::ALL[usize::from(code).min(Operand::ALL.len() - 1)]
    }

    /// As a type of number; pointers are unsigned.
    pub fn number(self) -> Number {
        match self {
            Operand::Int => Number::INT,
            Operand::Unsigned => Number::Integer { bits: 32, signed: false },
            Operand::Long => Number::Integer { bits: 64, signed: true },
            Operand::UnsignedLong | Operand::Pointer => Number::Integer { bits: 64, signed: false },
            Operand::Float => Number::Float,
            Operand::Double | Operand::LongDouble => Number::Double,
        }
    }
}

/// What was compared, in the type in which C compares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The common type.
    pub number: Number,
    /// The bits of the left operand in it.
    pub left: u64,
    /// The bits of the right one.
    pub right: u64,
}

impl Compared {
    /// Whether C finds the operands equal.
    pub fn is_equal(self) -> bool {
        let (left, right) = (self.number.value(self.left), self.number.value(self.right));
        self.left == self.right && !left.is_nan() || self.number.is_float() && left == 0.0 && right == 0.0
    }

    /// Which operand is greater: 1 the left one, -1 the right one, 0 neither.
    pub fn side(self) -> i32 {
        let (left, right) = (self.number.value(self.left), self.number.value(self.right));
        if left.is_nan() || right.is_nan() {
            return 0;
        }
        self.number.ordinal(self.left).cmp(&self.number.ordinal(self.right)) as i32
    }
}

/// What `visit` compared: the usual arithmetic conversions, whose order is that of [`Operand`].
pub fn compared(visit: &Visit) -> Compared {
    let (left, right) = (Operand::of(visit.left_type), Operand::of(visit.right_type));
    let number = left.max(right).number();
    let convert = |operand: Operand, bits: u64| {
        let own = operand.number();
        match (own.is_float(), number.is_float()) {
            _ if own == number => bits,
            (false, false) => number.wrap(bits),
            _ => number.nearest(own.value(bits)),
        }
    };
    Compared { number, left: convert(left, visit.left), right: convert(right, visit.right) }
}

/// How far `visit`, of a condition that compares with `comparison`, was from `outcome`. `parts` are the
/// operands of the `|` that is its left side, if it is one.
pub fn distance(comparison: Comparison, visit: &Visit, outcome: bool, parts: &[u64]) -> Distance {
    if (visit.outcome != 0) == outcome {
        return Distance::ZERO;
    }
    if visit.is_of_pointers() {
        return Distance { steps: 1, other: 1, value: K };
    }
    let wanted = if outcome { comparison } else { comparison.negated() };
    let Compared { number, left, right } = compared(visit);
    let (x, y) = (number.value(left), number.value(right));
    if x.is_nan() || y.is_nan() {
        return Distance { steps: FAR, other: FAR, value: f64::MAX };
    }
    let (a, b) = (number.ordinal(left), number.ordinal(right));
    let gap = a.abs_diff(b);
    let value = (x - y).abs();
    match wanted {
        Comparison::Equal if parts.len() > 1 => in_parts(parts, value),
        Comparison::Equal => {
            let other = if number.is_float() {
                u128::from(value.to_bits())
            } else {
                u128::from((left ^ right).count_ones())
            };
            Distance { steps: gap.max(1), other: other.max(1), value: nonzero(value) }
        }
        Comparison::Unequal => Distance { steps: 1, other: 1, value: K },
        Comparison::AtMost | Comparison::AtLeast => {
            Distance { steps: gap.max(1), other: gap.max(1), value: nonzero(value) }
        }
        Comparison::Less | Comparison::Greater => {
            Distance { steps: gap + 1, other: gap + 1, value: nonzero(value) }
        }
    }
}

/// `(p | q) == 0` asks for two zeros: what stands first matters most, as in the high and low words
/// of a double.
fn in_parts(parts: &[u64], value: f64) -> Distance {
    let mut steps = 0;
    for (at, part) in parts.iter().enumerate() {
        let word = if at == 0 {
            u128::from(part.cast_signed().unsigned_abs())
        } else {
            u128::from(part & 0xffff_ffff)
        };
        steps = (steps << 32) + word;
    }
    let bits: u32 = parts.iter().map(|part| part.count_ones()).sum();
    Distance { steps: steps.clamp(1, FAR), other: u128::from(bits).max(1), value: nonzero(value) }
}

/// Equal values that are not yet enough (`a < b` where a == b, a difference that rounds to 0) are not there.
fn nonzero(value: f64) -> f64 {
    if value == 0.0 { f64::MIN_POSITIVE } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(left: (Operand, u64), right: (Operand, u64), outcome: bool) -> Visit {
        Visit {
            outcome: outcome.into(),
            left_type: left.0 as u8,
            left: left.1,
            right_type: right.0 as u8,
            right: right.1,
            ..Visit::default()
        }
    }

    #[test]
    fn operands_are_compared_as_c_does() {
        // -1 < 1u is false: both are unsigned.
        let mixed = visit((Operand::Int, u64::MAX), (Operand::Unsigned, 1), false);
        assert_eq!(distance(Comparison::Less, &mixed, true, &[]).steps, 0xffff_ffff);
        let signed = visit((Operand::Int, u64::MAX), (Operand::Long, 1), true);
        assert_eq!(distance(Comparison::Less, &signed, false, &[]).steps, 2);
        let float = visit((Operand::Float, u64::from(1.0_f32.to_bits())), (Operand::Int, 2), false);
        assert_eq!(distance(Comparison::Equal, &float, true, &[]).steps, 1 << 23);
    }

    #[test]
    fn nan_is_far_and_what_holds_is_there() {
        let nan = visit((Operand::Double, f64::NAN.to_bits()), (Operand::Double, 0), false);
        assert_eq!(distance(Comparison::Less, &nan, true, &[]).steps, FAR);
        assert!(distance(Comparison::Less, &nan, false, &[]).is_zero());
    }

    #[test]
    fn a_word_in_front_outweighs_the_one_behind() {
        let or = visit((Operand::Int, 3), (Operand::Int, 0), false);
        let near = distance(Comparison::Equal, &or, true, &[0, 0xffff_ffff]);
        let far = distance(Comparison::Equal, &or, true, &[1, 0]);
        assert!(near.steps < far.steps);
    }
}
