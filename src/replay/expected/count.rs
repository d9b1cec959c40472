//! The expected count of one line, and the reasons why there may be none.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::PointId;
use crate::truth::Truth;

/// The counts that a report should give a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// One, or several where the definition leaves a choice.
    pub counts: BTreeSet<u64>,
    /// The points that decide.
    pub points: BTreeSet<PointId>,
}

/// Why a line has no expected count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Unknown {
    #[error("there is no code on the line")]
    NoCode,
    #[error("the function is not instrumented")]
    NotInstrumented,
    #[error("the code on the line cannot be counted")]
    NotCounted,
    #[error("gcc optimises the function")]
    Optimised,
    #[error("the line is in the definition of a macro")]
    MacroDefinition,
    #[error("a macro on the line ends a block or makes a function")]
    DividedByMacro,
    #[error("the counts of many functions are added up on the line")]
    ManyFunctions,
    #[error("control may come to the line in many ways")]
    ManyWays,
}

/// The points of `points` by function and inclusion: each is code of its own.
pub(super) fn by_copy(truth: &Truth, points: impl IntoIterator<Item = PointId>) -> Vec<Vec<PointId>> {
    let mut copies: BTreeMap<(usize, u32), Vec<PointId>> = BTreeMap::new();
    for id in points {
        let point = truth.point(id);
        copies.entry((point.function, point.inclusion)).or_default().push(id);
    }
    copies.into_values().collect()
}

/// Each sum of one of `these` and one of `those`.
pub(super) fn sums_of(these: &BTreeSet<u64>, those: &BTreeSet<u64>) -> BTreeSet<u64> {
    these.iter().flat_map(|this| those.iter().map(move |that| this + that)).collect()
}
