//! The random properties of a layout.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

/// The probability of each property of a layout.
pub(super) struct Layout {
    /// A new line between two tokens.
    pub(super) split: f64,
    /// A new line before a thing.
    pub(super) tall: f64,
    /// No new line after a statement or a brace.
    pub(super) join: f64,
    pub(super) comment: f64,
    pub(super) blank: f64,
    /// Parentheses that are not needed.
    pub(super) parentheses: f64,
    /// Dropped lines between two tokens.
    pub(super) dropped: f64,
    /// A new line before `{`, and before `else`.
    pub(super) brace: f64,
}

impl Layout {
    pub(super) fn draw(rng: &mut ChaCha8Rng) -> Layout {
        let mut one = |of: &[f64]| of[rng.random_range(0..of.len())];
        Layout {
            split: one(&[0.0, 0.0, 0.0, 0.01, 0.05]),
            tall: one(&[0.0, 0.1, 0.3, 0.6, 1.0]),
            join: one(&[0.0, 0.0, 0.0, 0.05, 0.4]),
            comment: one(&[0.0, 0.0, 0.0, 0.01, 0.05]),
            blank: one(&[0.0, 0.05, 0.2]),
            parentheses: one(&[0.0, 0.0, 0.05, 0.3]),
            dropped: one(&[0.0, 0.0, 0.0, 0.05]),
            brace: one(&[0.0, 0.5, 1.0]),
        }
    }
}
