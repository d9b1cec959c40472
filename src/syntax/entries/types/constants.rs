//! Constant expressions, which give the lengths of arrays and the values of enumerators.

use super::super::node::At;
use super::{DEEPEST, Types};

impl<'a> Types<'a> {
    /// The value of a constant expression of integers.
    pub(super) fn constant(&self, at: At<'a>, depth: u32) -> Option<i64> {
        if depth > DEEPEST {
            return None;
        }
        let operand = |name| self.constant(at.field(name)?, depth + 1);
        match at.kind() {
            "number_literal" => literal(at.text()),
            "identifier" => self.constants.get(at.text()).copied(),
            "parenthesized_expression" => self.constant(*at.named().first()?, depth + 1),
            "unary_expression" => match at.field("operator")?.text() {
                "-" => operand("argument")?.checked_neg(),
                "+" => operand("argument"),
                "~" => Some(!operand("argument")?),
                _ => None,
            },
            "binary_expression" => {
                let (left, right) = (operand("left")?, operand("right")?);
                match at.field("operator")?.text() {
                    "+" => left.checked_add(right),
                    "-" => left.checked_sub(right),
                    "*" => left.checked_mul(right),
                    "/" => left.checked_div(right),
                    "%" => left.checked_rem(right),
                    "<<" => left.checked_shl(u32::try_from(right).ok()?),
                    ">>" => left.checked_shr(u32::try_from(right).ok()?),
                    "|" => Some(left | right),
                    "&" => Some(left & right),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The value of an integer as C writes it.
pub fn literal(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let lower = digits.to_ascii_lowercase();
    match (lower.strip_prefix("0x"), lower.strip_prefix("0b"), lower.strip_prefix('0')) {
        (Some(digits), _, _) => i64::from_str_radix(digits, 16).ok(),
        (_, Some(digits), _) => i64::from_str_radix(digits, 2).ok(),
        (_, _, Some(digits)) if !digits.is_empty() => i64::from_str_radix(digits, 8).ok(),
        _ => lower.parse().ok(),
    }
}
