//! To be written.
use super::super::session::Session;
use crate::model::Number;
use rand::rngs::ChaCha8Rng;
/// Random bits.
pub fn bits(_rng: &mut ChaCha8Rng, _number: Number) -> u64 { 0 }
/// Uniform.
pub fn uniform(_rng: &mut ChaCha8Rng, _number: Number) -> u64 { 0 }
/// Search.
pub fn search(_session: &mut Session<'_>, _draw: fn(&mut ChaCha8Rng, Number) -> u64) {}
