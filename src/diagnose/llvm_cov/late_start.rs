//! Regions that begin late: clang 20 and later visit the block of a statement expression, and the operand of `!`, without extending
//! the region to what is before it.

use std::collections::BTreeSet;

use super::facts::{Facts, Position};
use crate::coverage::RegionKind;
use crate::model::{Cause, Layer};
use crate::replay::llvm_cov::CountedRegion;

impl Facts<'_> {
    /// The fault that the region of the expression at `at` begins after its first token. `right` are the counts that it may have.
    pub(super) fn late_start(&self, at: Position, right: &BTreeSet<u64>) -> Option<Cause> {
        self.late_statement_expression(at, right).or_else(|| self.late_negation(at, right))
    }

    /// The fault that a region begins after the `!` at `at`.
    fn late_negation(&self, at: Position, right: &BTreeSet<u64>) -> Option<Cause> {
        let is_after = |region: &&CountedRegion| region.kind == RegionKind::Code && region.start > at;
        let region = self.replay.regions.iter().filter(is_after).min_by_key(|region| region.start)?;
        let between = self.text_between(at, region.start);
        let is_prefix = |c: char| matches!(c, '!' | '(') || c.is_whitespace();
        if !between.starts_with('!') || !between.chars().all(is_prefix) || !right.contains(&region.count) {
            return None;
        }
        let (line, column) = region.start;
        let evidence = format!("The region begins at {line}:{column}, after the `!` at {}:{}.", at.0, at.1);
        let element = self.element_at("negation", at);
        Some(Cause::new(Layer::Mapping, "negation-outside-region", element, evidence))
    }

    /// The fault that a region begins at the brace of the statement expression at `at`, and not at its parenthesis: the parenthesis
    /// has the count of the code before it. `right` are the counts that it may have.
    fn late_statement_expression(&self, at: Position, right: &BTreeSet<u64>) -> Option<Cause> {
        let brace = self.brace_after_parenthesis(at)?;
        let is_late = self.replay.regions.iter().any(|region| {
            region.kind == RegionKind::Code && region.start == brace && right.contains(&region.count)
        });
        let element = self.element_at("statement expression", at);
        let evidence = format!(
            "A region begins at {}:{}, the brace of the statement expression, and none at its parenthesis at {}:{}.",
            brace.0, brace.1, at.0, at.1
        );
        is_late.then(|| Cause::new(Layer::Mapping, "statement-expression-start", element, evidence))
    }

    /// The position of `{` if the text at `at` is `({`, perhaps with space between.
    fn brace_after_parenthesis(&self, at: Position) -> Option<Position> {
        let rest = self.text_from(at).strip_prefix('(')?;
        // The line of a definition may continue.
        let is_space = |c: char| c.is_whitespace() || c == '\\';
        let space = &rest[..rest.find(|c| !is_space(c))?];
        if !rest[space.len()..].starts_with('{') {
            return None;
        }
        let length = |text: &str| u32::try_from(text.len()).ok();
        Some(match space.rsplit_once('\n') {
            Some((above, indent)) => {
                let lines = u32::try_from(above.matches('\n').count()).ok()? + 1;
                (at.0 + lines, length(indent)? + 1)
            }
            None => (at.0, at.1 + 1 + length(space)?),
        })
    }
}
