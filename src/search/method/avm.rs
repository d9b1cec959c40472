//! To be written.
use super::super::session::Session;
/// Search.
pub fn search(_session: &mut Session<'_>) {}
