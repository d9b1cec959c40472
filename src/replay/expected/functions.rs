//! The functions that a report should list.
//!
//! gcov lists a function for which gcc generates code, on the line of its name. gcc inlines functions before it inserts
//! counters, and leaves out private functions that nothing calls (`analyze_functions` in cgraphunit.cc). An attribute or
//! `inline` may cause either, so [`Truth::generated`] decides, and the syntax only if that is not known.

use crate::model::{Family, Line};
use crate::syntax::{PointId, PointKind, PointToken, TokenKind, TokenOrigin};
use crate::truth::{CountedPoint, Truth};

/// A function that a report may list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedFunction {
    /// Its index in [`Truth::functions`].
    pub index: usize,
    pub name: String,
    /// The line on which a report may list it.
    pub line: Option<Line>,
    /// Whether a report must list it.
    pub is_needed: bool,
}

/// The functions that a report of `family` should list, in source order.
pub fn expected_functions(truth: &Truth, family: Family) -> Vec<ExpectedFunction> {
    (0..truth.functions.len()).map(|index| function(truth, family, index)).collect()
}

/// Whether a report of gcov must list a function on `line`.
pub(super) fn is_on_line(truth: &Truth, line: Line) -> bool {
    let is_here = |index: &usize| truth.functions[*index].name_line == Some(line);
    let mut here = (0..truth.functions.len()).filter(is_here);
    here.any(|index| function(truth, Family::Gcov, index).is_needed)
}

/// Whether another definition follows that of a function: the first one is `gnu_inline`, and no code is made of it.
pub(super) fn is_replaced(truth: &Truth, function: usize) -> bool {
    let name = &truth.functions[function].name;
    !name.is_empty() && truth.functions[function + 1..].iter().any(|later| later.name == *name)
}

fn function(truth: &Truth, family: Family, index: usize) -> ExpectedFunction {
    let function = &truth.functions[index];
    let is_entry = |point: &CountedPoint| point.function == index && point.kind == PointKind::Entry;
    let entry = truth.points.iter().position(is_entry);
    let count = entry.and_then(|entry| truth.point(entry).count);
    let (line, is_needed) = match family {
        Family::Gcov => {
            let is_emitted = || function.is_plain && (count > Some(0) || function.is_external);
            let is_generated = truth.generated.as_ref().map(|code| code.functions.contains(&function.name));
            let is_listed = function.is_counted() && !function.is_optimised;
            let is_listed = is_listed && !is_replaced(truth, index);
            (function.name_line, is_listed && is_generated.unwrap_or_else(is_emitted))
        }
        Family::LlvmCov => {
            let is_typed = entry.is_some_and(|entry| has_typed_brace(truth, entry, function.lines));
            // One that a macro of ours makes in another file may be in the report on that file.
            let is_here = !function.is_elsewhere() && !is_replaced(truth, index);
            (Some(function.lines.0), is_typed && is_here)
        }
    };
    ExpectedFunction { index, name: function.name.clone(), line, is_needed }
}

/// Whether the opening brace of the function that begins with the point `entry` was typed in our file, on its lines or in the
/// definition of the macro that makes the function.
fn has_typed_brace(truth: &Truth, entry: PointId, (first, last): (Line, Line)) -> bool {
    let is_brace = |token: &PointToken| {
        let is_typed = token.origin == TokenOrigin::Code || token.origin.body().is_some();
        token.point == entry && token.kind == TokenKind::OpeningBrace && is_typed
    };
    let is_on = |tokens: &Vec<PointToken>| tokens.iter().any(is_brace);
    truth.typed.range(first..=last).any(|(_, tokens)| is_on(tokens)) || truth.typed.values().any(is_on)
}
