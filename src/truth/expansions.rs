//! The names of the expansions of macros, by which reports and ground truth tell them apart.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Line;
use crate::syntax::{ExpansionText, Instrumented, LevelId, PointId};

type Position = (Line, u32);

/// The place of the name of an expansion that is in another one.
pub(super) fn inner_names(instrumented: &Instrumented) -> BTreeSet<Position> {
    let here = instrumented.expansions.values().filter(|text| !text.is_named_elsewhere);
    let all = here.filter_map(|ExpansionText { names, .. }| {
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

/// The points with a token in the text of each expansion.
pub(super) fn points_of_bodies(instrumented: &Instrumented) -> BTreeMap<LevelId, BTreeSet<PointId>> {
    let mut points: BTreeMap<LevelId, BTreeSet<PointId>> = BTreeMap::new();
    for token in instrumented.typed.values().flatten() {
        if let Some(level) = token.origin.body() {
            points.entry(level).or_default().insert(token.point);
        }
    }
    points
}

/// The names of the expansions, and of the parameters that are replaced by the name of a macro whose arguments follow them.
pub(super) fn expansion_names(instrumented: &Instrumented) -> BTreeSet<Vec<Position>> {
    let all = instrumented.expansions.values().filter(|text| !text.is_argument);
    // A parameter is around such a macro only.
    all.flat_map(|text| (1..=text.names.len()).map(|length| text.names[..length].to_vec())).collect()
}
