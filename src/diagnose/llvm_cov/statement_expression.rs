//! Statement expressions: clang 20 and later visit their block without extending the region to the parenthesis before it.

use std::collections::BTreeSet;

use super::facts::{Facts, Position};
use crate::coverage::RegionKind;
use crate::model::{Cause, Layer};

impl Facts<'_> {
    /// The fault that a region begins at the brace of the statement expression at `at`, and not at its parenthesis: the parenthesis
    /// has the count of the code before it. `right` are the counts that it may have.
    pub(super) fn late_statement_expression(&self, at: Position, right: &BTreeSet<u64>) -> Option<Cause> {
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
