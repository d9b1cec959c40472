//! The names of the expansions of macros, by which reports and ground truth tell them apart.

use std::collections::BTreeSet;

use super::Truth;
use crate::coverage::Coverage;
use crate::model::{Family, Line};
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

impl Truth {
    /// `names` without those of the macros around the function. clang has them where a text with a whole function has a
    /// macro of the system, which gives the function a region at the name of the macro that makes it (`gatherFileIDs` in
    /// CoverageMappingGen.cpp).
    pub fn inside_function<'a>(&self, names: &'a [Position]) -> &'a [Position] {
        let outside = self.makers.iter().filter(|outside| names.starts_with(outside)).map(Vec::len);
        &names[outside.max().unwrap_or(0)..]
    }

    /// `report` with these names. None if it has no others.
    pub fn inside_functions(&self, report: &Coverage, family: Family) -> Option<Coverage> {
        if family == Family::Gcov || self.makers.is_empty() {
            return None;
        }
        let mut found = report.clone();
        let regions = found.regions.iter_mut().map(|region| &mut region.expansion);
        for names in regions.chain(found.tested.iter_mut().map(|tested| &mut tested.expansion)) {
            *names = self.inside_function(names).to_vec();
        }
        Some(found)
    }
}
