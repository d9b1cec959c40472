//! The functions that a report should list.
//!
//! gcov lists a function for which gcc generates code, on the line of its name. gcc inlines functions before it inserts
//! counters, and leaves out private functions that nothing calls (`analyze_functions` in cgraphunit.cc). An attribute or
//! `inline` may cause either.

use crate::model::{Count, Family, Line};
use crate::syntax::PointKind;
use crate::truth::{CountedPoint, Truth};

/// A function that a report may list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedFunction {
    /// Its index in [`Truth::functions`].
    pub index: usize,
    pub name: String,
    /// The line on which a report may list it.
    pub line: Option<Line>,
    /// Its entries; none if they are not counted.
    pub count: Count,
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

fn function(truth: &Truth, family: Family, index: usize) -> ExpectedFunction {
    let function = &truth.functions[index];
    let is_entry = |point: &&CountedPoint| point.function == index && point.kind == PointKind::Entry;
    let count = truth.points.iter().find(is_entry).and_then(|entry| entry.count);
    let has_run = function.is_counted && count > Some(0);
    let is_emitted = function.is_plain && (has_run || function.is_external);
    let (line, is_needed) = match family {
        Family::Gcov => (function.name_line, function.is_counted && is_emitted),
        Family::LlvmCov => (Some(function.lines.0), has_run),
    };
    ExpectedFunction { index, name: function.name.clone(), line, count, is_needed }
}
