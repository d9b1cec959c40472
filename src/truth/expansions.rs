//! The names of the expansions of macros, by which reports and ground truth tell them apart.

use std::collections::BTreeSet;

use crate::model::Line;
use crate::syntax::{ExpansionText, Instrumented};

type Position = (Line, u32);

/// The place of the name of an expansion that is in another one.
pub(super) fn inner_names(instrumented: &Instrumented) -> BTreeSet<Position> {
    let all = instrumented.expansions.values().filter_map(|ExpansionText { names, .. }| {
        let is_inner = |(line, _): &Position| names.len() > 1 || instrumented.directives.contains(line);
        names.last().copied().filter(is_inner)
    });
    all.collect()
}

/// The names of the macros around each function that is in a text as a whole.
pub(super) fn makers(instrumented: &Instrumented) -> BTreeSet<Vec<Position>> {
    let all = instrumented.expansions.values().map(|text| &text.outside);
    all.filter(|outside| !outside.is_empty()).cloned().collect()
}

/// The names of the expansions, and of the parameters that are replaced by the name of a macro whose arguments follow them.
pub(super) fn expansion_names(instrumented: &Instrumented) -> BTreeSet<Vec<Position>> {
    let all = instrumented.expansions.values().filter(|text| !text.is_argument);
    // A parameter is around such a macro only.
    all.flat_map(|text| (1..=text.names.len()).map(|length| text.names[..length].to_vec())).collect()
}
