//! The arithmetic types of C: bits, order and text of their values.
//!
//! A value of any type is stored in 64 bits: two's complement for integers, IEEE 754 for floats.
//! A search uses the *ordinal* of a value: an integer with the same order as the values. The ordinals of
//! neighbours differ by one, so a step of 2^k can change an exponent as easily as a last digit.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the code takes bits apart, and clamps ordinals to their type first"
)]

use serde::{Deserialize, Serialize};

/// An arithmetic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Number {
    /// An integer; `_Bool` has one bit.
    Integer {
        /// 1, 8, 16, 32 or 64.
        bits: u8,
        signed: bool,
    },
    Float,
    Double,
    /// `long double`, with the values of a double.
    LongDouble,
}

const SIGN64: u64 = 1 << 63;

impl Number {
    pub const INT: Number = Number::Integer { bits: 32, signed: true };

    pub fn is_float(self) -> bool {
        !matches!(self, Number::Integer { .. })
    }

    /// The position of `bits` in the order of all values. −0.0 is immediately below +0.0, and the NaNs
    /// are beyond the infinities.
    pub fn ordinal(self, bits: u64) -> i128 {
        match self {
            Number::Integer { signed: true, .. } => i128::from(bits.cast_signed()),
            Number::Integer { signed: false, .. } => i128::from(bits),
            _ => {
                let (bits, sign) = (self.wrap(bits), self.sign());
                if bits & sign == 0 { i128::from(bits) } else { -1 - i128::from(bits & !sign) }
            }
        }
    }

    /// The sign bit of a float.
    fn sign(self) -> u64 {
        1 << (self.width() - 1)
    }

    /// The bits of the value at `ordinal`; an ordinal out of range gives the nearest end.
    pub fn at(self, ordinal: i128) -> u64 {
        let (low, high) = self.ends();
        let ordinal = ordinal.clamp(low, high);
        match self {
            Number::Integer { signed: true, .. } => (ordinal as i64).cast_unsigned(),
            Number::Integer { .. } => ordinal as u64,
            _ if ordinal < 0 => self.sign() | (-1 - ordinal) as u64,
            _ => ordinal as u64,
        }
    }

    /// The least and the greatest ordinal.
    pub fn ends(self) -> (i128, i128) {
        match self {
            Number::Integer { bits, signed: false } => (0, (1_i128 << bits) - 1),
            _ => (-(1_i128 << (self.width() - 1)), (1_i128 << (self.width() - 1)) - 1),
        }
    }

    /// The number of bits of a value.
    pub fn width(self) -> u32 {
        match self {
            Number::Integer { bits, .. } => u32::from(bits),
            Number::Float => 32,
            Number::Double | Number::LongDouble => 64,
        }
    }

    /// The value as a double, rounded if necessary.
    pub fn value(self, bits: u64) -> f64 {
        match self {
            Number::Integer { signed: true, .. } => bits.cast_signed() as f64,
            Number::Integer { signed: false, .. } => bits as f64,
            Number::Float => f64::from(f32::from_bits(bits as u32)),
            Number::Double | Number::LongDouble => f64::from_bits(bits),
        }
    }

    /// The bits of the value nearest to `value`; for integers NaN gives 0, and a value out of range gives the end.
    pub fn nearest(self, value: f64) -> u64 {
        match self {
            Number::Integer { .. } => self.at(value.round() as i128),
            Number::Float => u64::from((value as f32).to_bits()),
            Number::Double | Number::LongDouble => value.to_bits(),
        }
    }

    /// `bits` truncated to the type, as in an assignment to a variable.
    pub fn wrap(self, bits: u64) -> u64 {
        match self {
            Number::Integer { bits: 1, .. } => u64::from(bits != 0),
            Number::Integer { bits: width, signed } => {
                let spare = 64 - u32::from(width);
                let up = bits << spare;
                if signed { (up.cast_signed() >> spare).cast_unsigned() } else { up >> spare }
            }
            Number::Float => bits & u64::from(u32::MAX),
            Number::Double | Number::LongDouble => bits,
        }
    }

    /// The value as a C literal that is exact: hexadecimal floats, decimal integers. Infinities and NaNs
    /// are the built-ins of gcc and clang, and keep their sign and payload.
    pub fn literal(self, bits: u64) -> String {
        match self {
            Number::Integer { bits: 64, signed: true } if bits == SIGN64 => "-9223372036854775807LL-1".into(),
            Number::Integer { bits: 64, signed: true } => format!("{}LL", bits.cast_signed()),
            Number::Integer { bits: 64, signed: false } => format!("{bits}ULL"),
            Number::Integer { bits: 32, signed: true } if bits.cast_signed() == i64::from(i32::MIN) => {
                "-2147483647-1".into()
            }
            Number::Integer { signed: true, .. } => bits.cast_signed().to_string(),
            Number::Integer { bits: 32, signed: false } => format!("{bits}U"),
            Number::Integer { signed: false, .. } => bits.to_string(),
            Number::Float => float(self.value(bits), "f", "f", bits & 0x3f_ffff),
            Number::Double => float(self.value(bits), "", "", bits & 0x7_ffff_ffff_ffff),
            Number::LongDouble => float(self.value(bits), "L", "l", bits & 0x7_ffff_ffff_ffff),
        }
    }

    /// The value in decimal, for people and for programs that read decimal numbers; reading it back is exact.
    pub fn decimal(self, bits: u64) -> String {
        match self {
            Number::Integer { signed: true, .. } => bits.cast_signed().to_string(),
            Number::Integer { signed: false, .. } => bits.to_string(),
            Number::Float => {
                plain(f32::from_bits(bits as u32).to_string(), f32::from_bits(bits as u32).into())
            }
            Number::Double | Number::LongDouble => {
                plain(format!("{:?}", f64::from_bits(bits)), f64::from_bits(bits))
            }
        }
    }
}

/// Infinities and NaN as `strtod` reads them.
fn plain(text: String, value: f64) -> String {
    match (value.is_nan(), value.is_sign_negative()) {
        (true, true) => "-nan".into(),
        (true, false) => "nan".into(),
        _ => text,
    }
}

/// A literal with `suffix`, or the built-in with `builtin_suffix` for infinities and for a NaN with this `payload`.
fn float(value: f64, suffix: &str, builtin_suffix: &str, payload: u64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        format!("{sign}__builtin_nan{builtin_suffix}(\"{payload:#x}\")")
    } else if value.is_infinite() {
        format!("{sign}__builtin_inf{builtin_suffix}()")
    } else {
        format!("{}{suffix}", hexadecimal(value))
    }
}

/// A finite double in C's hexadecimal notation, as `%a` prints it.
fn hexadecimal(value: f64) -> String {
    let bits = value.to_bits();
    let sign = if bits & SIGN64 == 0 { "" } else { "-" };
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & 0xf_ffff_ffff_ffff);
    if exponent == 0 && fraction == 0 {
        return format!("{sign}0x0p+0");
    }
    let (lead, power) = if exponent == 0 { (0, -1022) } else { (1, exponent as i32 - 1023) };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{lead}{point}{digits}p{power:+}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Number; 9] = [
        Number::Integer { bits: 8, signed: true },
        Number::Integer { bits: 8, signed: false },
        Number::Integer { bits: 16, signed: true },
        Number::INT,
        Number::Integer { bits: 32, signed: false },
        Number::Integer { bits: 64, signed: true },
        Number::Integer { bits: 64, signed: false },
        Number::Float,
        Number::Double,
    ];

    proptest! {
        #[test]
        fn ordinals_have_the_order_of_the_values(a in any::<u64>(), b in any::<u64>()) {
            for number in ALL {
                let (a, b) = (number.wrap(a), number.wrap(b));
                prop_assert_eq!(number.at(number.ordinal(a)), a);
                let (x, y) = (number.value(a), number.value(b));
                if number.ordinal(a) < number.ordinal(b) && !x.is_nan() && !y.is_nan() {
                    prop_assert!(x <= y, "{:?} {} {}", number, x, y);
                }
            }
        }
    }

    #[test]
    fn ordinals_of_neighbours_differ_by_one() {
        let double = Number::Double;
        let at = |value: f64| double.ordinal(value.to_bits());
        assert_eq!(at(0.0) - at(-0.0), 1);
        assert_eq!(at(f64::from_bits(1)) - at(0.0), 1);
        assert_eq!(at(f64::INFINITY) - at(f64::MAX), 1);
        assert!(at(f64::NAN) > at(f64::INFINITY) && at(-f64::NAN) < at(f64::NEG_INFINITY));
    }

    #[test]
    fn literals_are_exact() {
        let double = |value: f64| Number::Double.literal(value.to_bits());
        assert_eq!(double(0.1), "0x1.999999999999ap-4");
        assert_eq!(double(-0.0), "-0x0p+0");
        assert_eq!(double(1.0), "0x1p+0");
        assert_eq!(double(f64::from_bits(1)), "0x0.0000000000001p-1022");
        assert_eq!(double(f64::NEG_INFINITY), "-__builtin_inf()");
        assert_eq!(Number::INT.literal((-5_i64).cast_unsigned()), "-5");
        assert_eq!(Number::Float.literal(u64::from(0.5_f32.to_bits())), "0x1p-1f");
    }
}
