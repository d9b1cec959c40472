//! The regions and branches that a report of llvm-cov lacks.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Excluded, Included};

use super::checked::{CheckedNumber, What};
use crate::coverage::{Coverage, FunctionCount, Region, RegionKind, without_file};
use crate::model::{Line, Metric};
use crate::replay::expected::{Begun, Extents, FIRST_WITH_CONSTANTS, tests_at, tests_of_name};
use crate::syntax::{PointId, PointKind, PointToken, StatementKind, TokenKind};
use crate::truth::{CountedPoint, Truth};

/// A position in the text of an expansion.
pub(super) type Place<'a> = ((Line, u32), &'a [(Line, u32)]);

/// The first version of llvm-cov with branches.
const FIRST_WITH_BRANCHES: u32 = 12;

/// The regions and branches that the report lacks. Functions that it does not list have none.
pub(super) fn missing(report: &Coverage, truth: &Truth, extents: &Extents<'_>) -> Vec<CheckedNumber> {
    // A file that includes itself may have the code of another file around it.
    if truth.is_included && truth.inclusions.len() > 1 {
        return Vec::new();
    }
    let shown = Shown::of(report, truth);
    let in_macros = functions_in_macros(truth);
    let mut visited = extents.expansions();
    for points in visited.values_mut() {
        points.retain(|id| !in_macros.contains(&truth.point(*id).function));
    }
    let version = report.llvm_version();
    let lacking = Lacking { truth, extents, version, shown, in_macros, visited };
    let starts = extents.starts();
    let mut found = lacking.starts(&starts);
    found.extend(lacking.gaps());
    // The expansions of one inclusion of a file are not those of another one.
    if truth.inclusions.len() <= 1 {
        found.extend(lacking.expansions(&starts));
        found.extend(lacking.texts());
        found.extend(lacking.made());
        found.extend(lacking.names());
    }
    found
}

/// The regions and branches that a report has.
struct Shown<'a> {
    report: &'a Coverage,
    /// The number of regions and of branches that begin at each place.
    begun: BTreeMap<Place<'a>, usize>,
    tested: BTreeMap<Place<'a>, usize>,
    /// The names of macros with an expansion.
    expanded: BTreeSet<Place<'a>>,
    /// The functions of the report, and those of them that have all their regions.
    functions: BTreeSet<usize>,
    listed: BTreeSet<usize>,
}

impl<'a> Shown<'a> {
    fn of(report: &'a Coverage, truth: &Truth) -> Shown<'a> {
        let (mut begun, mut tested): (BTreeMap<Place<'_>, usize>, BTreeMap<Place<'_>, usize>) =
            (BTreeMap::new(), BTreeMap::new());
        for region in report.regions.iter().filter(|region| region.kind == RegionKind::Code) {
            *begun.entry((region.start, &region.expansion)).or_default() += 1;
        }
        for branch in &report.tested {
            *tested.entry((branch.start, &branch.expansion)).or_default() += 1;
        }
        let counted = |function: &'a FunctionCount| {
            let (index, entries) = truth.entries_as(&function.name, function.line)?;
            Some((index, entries, without_file(&function.name)))
        };
        let functions: Vec<(usize, u64, &str)> = report.functions.iter().filter_map(counted).collect();
        // A macro may make several functions on the same lines.
        let has_several = |index: usize, name: &str| {
            let (first, last) = truth.functions[index].lines;
            let is_its =
                |region: &&Region| region.kind == RegionKind::Code && without_file(&region.function) == name;
            let of_name = report.regions.iter().filter(is_its).count();
            if of_name > 0 { of_name > 1 } else { report.code_regions_on(first..=last) > 1 }
        };
        let is_whole =
            |(index, entries, name): &&(usize, u64, &str)| *entries > 0 || has_several(*index, name);
        let listed = functions.iter().filter(is_whole).map(|(index, ..)| *index).collect();
        let functions = functions.iter().map(|(index, ..)| *index).collect();
        let expansions = report.regions.iter().filter(|region| region.kind == RegionKind::Expansion);
        let expanded = expansions.map(|region| (region.start, region.expansion.as_slice())).collect();
        Shown { report, begun, tested, expanded, functions, listed }
    }

    /// Whether the macro with these names around it has an expansion. A function that is in a macro as a whole has none.
    fn is_expanded(&self, names: &[(Line, u32)]) -> bool {
        names.split_last().is_none_or(|(name, outer)| self.expanded.contains(&(*name, outer)))
    }

    /// Whether a branch begins at a position in the code.
    fn is_tested(&self, position: (Line, u32)) -> bool {
        self.tested.contains_key(&(position, &[][..]))
    }

    fn gaps(&self) -> impl Iterator<Item = &'a Region> {
        self.report.regions.iter().filter(|region| region.kind == RegionKind::Gap)
    }
}

/// The functions of the report of which all regions and decisions must be there.
pub(super) fn listed(report: &Coverage, truth: &Truth) -> BTreeSet<usize> {
    Shown::of(report, truth).listed
}

struct Lacking<'a> {
    truth: &'a Truth,
    extents: &'a Extents<'a>,
    version: Option<u32>,
    shown: Shown<'a>,
    in_macros: BTreeSet<usize>,
    /// The points whose code each expansion makes, outside of these functions.
    visited: BTreeMap<&'a [(Line, u32)], BTreeSet<PointId>>,
}

impl Lacking<'_> {
    /// The regions and branches that must begin at a place.
    fn starts(&self, starts: &BTreeMap<Place<'_>, Begun>) -> Vec<CheckedNumber> {
        let (truth, version, shown) = (self.truth, self.version, &self.shown);
        let has_branches = !shown.report.tested.is_empty() || version >= Some(FIRST_WITH_BRANCHES);
        let mut found = Vec::new();
        for (place, Begun { points: ids, sides, is_open, after_name }) in starts {
            let (position, expansion) = *place;
            if !shown.is_expanded(expansion) {
                continue;
            }
            let is_due = |id: &&PointId| {
                let point = truth.point(**id);
                let is_body = point.kind == PointKind::Entry && shown.functions.contains(&point.function);
                is_body || shown.listed.contains(&point.function)
            };
            let points: Vec<&CountedPoint> = ids.iter().filter(is_due).map(|id| truth.point(*id)).collect();
            let sides: Vec<&CountedPoint> = sides.iter().filter(is_due).map(|id| truth.point(*id)).collect();
            let counts: BTreeSet<u64> = points.iter().chain(&sides).filter_map(|point| point.count).collect();
            let number = if *is_open { 1 } else { points.len() + sides.len() };
            let begun = match after_name {
                None => shown.begun.get(place).copied().unwrap_or(0),
                Some(next) => {
                    let within = (Excluded((position, expansion)), Included((*next, expansion)));
                    let between = shown.begun.range::<Place<'_>, _>(within);
                    between.filter(|((_, of), _)| of.is_empty()).map(|(_, number)| number).sum()
                }
            };
            if begun < number && !counts.is_empty() {
                found.push(lacking(Metric::Region, position, What::RegionAt, counts.into_iter().collect()));
            }
            let may_lack = points.iter().any(|point| self.may_lack(point));
            // The tests of a statement in a macro are in its expansion.
            let is_statement = |point: &&CountedPoint| matches!(point.kind, PointKind::Statement(_));
            let is_in_macro = after_name.is_some() && points.iter().any(is_statement);
            let is_tested = has_branches && !*is_open && !may_lack && !is_in_macro && !points.is_empty();
            let tests = tests_at(truth, expansion, position, version).filter(|_| is_tested);
            // Tests that end after the expansion are not in it, and tests in the macro that a condition begins with are not in that. Of
            // several functions that a macro makes, those that are unused have none.
            let is_all_code = expansion.is_empty() && after_name.is_none() && points.len() == ids.len();
            let tested = points.iter().filter(|point| !point.is_chain).count();
            // All that is passed for a parameter is at one place of the text, so the value of a `switch` may begin before it.
            let passed = truth.typed_in(expansion, position.0).unwrap_or_default();
            let is_value = passed.iter().any(|token| {
                token.column == Some(position.1)
                    && truth.point(token.point).kind == PointKind::Statement(StatementKind::Switch)
            });
            let tests = tests.filter(|tests| is_all_code || tests.len() <= tested && !is_value);
            let branches = shown.tested.get(place).copied().unwrap_or(0);
            for test in tests.into_iter().flatten().skip(branches) {
                let right = test.into_iter().map(|(yes, _)| yes).collect();
                found.push(lacking(Metric::Branch, position, What::TestAt, right));
            }
        }
        if has_branches {
            found.extend(self.missing_defaults());
            found.extend(self.missing_tests_at_names());
        }
        found
    }

    /// The branches of the `switch` statements without `default`, which are at their values.
    fn missing_defaults(&self) -> impl Iterator<Item = CheckedNumber> {
        let values = self.extents.switched_values().into_iter();
        let values = values.filter(|(id, at)| {
            !self.shown.is_tested(*at)
                && !self.may_lack(self.truth.point(*id))
                && !self.counts(&BTreeSet::from([*id])).is_empty()
        });
        values.filter_map(|(_, at)| {
            let tests = tests_at(self.truth, &[], at, self.version)?;
            let right = tests.into_iter().next()?.into_iter().map(|(yes, _)| yes).collect();
            Some(lacking(Metric::Branch, at, What::TestAt, right))
        })
    }

    /// The branches of the conditions that are macros of the system, which are at their names.
    fn missing_tests_at_names(&self) -> impl Iterator<Item = CheckedNumber> {
        let is_tested = |id: &PointId| {
            let point = self.truth.point(*id);
            let is_listed = self.shown.listed.contains(&point.function);
            matches!(point.kind, PointKind::Condition | PointKind::Operand)
                && is_listed
                && !self.may_lack(point)
        };
        let names = self.extents.names().into_iter();
        // Those of a macro of a header of the program are in its expansion.
        let names = names.filter(|(at, _)| !self.shown.expanded.contains(&(*at, &[][..])));
        let names = names.filter(move |(at, ids)| !self.shown.is_tested(*at) && ids.iter().any(is_tested));
        names.filter_map(|(at, _)| {
            let test = tests_of_name(self.truth, &[], at, self.version, 1)?.into_iter().next()?;
            Some(lacking(Metric::Branch, at, What::TestAt, test.into_iter().map(|(yes, _)| yes).collect()))
        })
    }

    /// Whether there may be no branch: older versions have none for what clang evaluates, newer ones none where that is in code
    /// whose count is always 0 either, which llvm-cov takes for a folded branch, and none for an operand of `__builtin_expect`.
    fn may_lack(&self, point: &CountedPoint) -> bool {
        let is_old = self.version < Some(FIRST_WITH_CONSTANTS);
        point.may_be_evaluated() && (is_old || point.count == Some(0)) || point.may_be_chain
    }

    fn gaps(&self) -> Vec<CheckedNumber> {
        let mut ended: BTreeMap<(Line, u32), Vec<(Line, u32)>> = BTreeMap::new();
        for gap in self.shown.gaps() {
            ended.entry(gap.end).or_default().push(gap.start);
        }
        let mut found = Vec::new();
        for (position, gap) in self.extents.gaps() {
            let counts = self.counts(&gap.points);
            let is_it = |starts: &Vec<(Line, u32)>| starts.iter().any(|start| gap.may_begin(*start));
            if !counts.is_empty() && !ended.get(&position).is_some_and(is_it) {
                found.push(lacking(Metric::Region, position, What::GapBefore, counts));
            }
        }
        for (switch, starts) in self.extents.switches() {
            let is_it =
                |gap: &Region| starts.contains(&gap.start) && self.extents.may_end_switch(switch, gap.end);
            if !self.counts(&BTreeSet::from([switch])).is_empty() && !self.shown.gaps().any(is_it) {
                found.push(lacking(Metric::Region, starts[starts.len() - 1], What::GapAt, vec![0]));
            }
        }
        found
    }

    /// The expansions of macros in code, and in the text of macros with an expansion: where a region begins in the text,
    /// and where an operand begins with it.
    fn expansions(&self, starts: &BTreeMap<Place<'_>, Begun>) -> Vec<CheckedNumber> {
        let mut begun: BTreeMap<Place<'_>, BTreeSet<PointId>> = BTreeMap::new();
        let of_starts = starts.iter().map(|((_, names), begun)| (*names, &begun.points));
        let visited = self.visited.iter().map(|(names, points)| (*names, points));
        for (names, points) in of_starts.chain(visited) {
            let Some((name, outer)) = names.split_last() else { continue };
            let points =
                points.iter().filter(|id| !self.in_macros.contains(&self.truth.point(**id).function));
            begun.entry((*name, outer)).or_default().extend(points);
        }
        // The expansions at names in other files are in the reports on these.
        let elsewhere = self.truth.expansions.values().filter(|text| text.is_named_elsewhere);
        let elsewhere = elsewhere.filter_map(|text| text.names.split_last());
        let elsewhere: BTreeSet<Place<'_>> = elsewhere.map(|(name, outer)| (*name, outer)).collect();
        let is_lacking = |(name, outer): &Place<'_>| {
            self.shown.is_expanded(outer)
                && !self.shown.expanded.contains(&(*name, *outer))
                && !elsewhere.contains(&(*name, *outer))
        };
        let begun = begun.into_iter().filter(|(place, _)| is_lacking(place));
        let counted = begun.map(|((name, _), ids)| (name, self.counts(&ids)));
        let counted = counted.filter(|(_, counts)| !counts.is_empty());
        counted.map(|(name, counts)| lacking(Metric::Region, name, What::ExpansionAt, counts)).collect()
    }

    /// The texts of macros with an expansion: a region begins where each text does (`handleFileExit` in
    /// CoverageMappingGen.cpp).
    fn texts(&self) -> Vec<CheckedNumber> {
        let mut starts: BTreeMap<&[(Line, u32)], (Line, u32)> = BTreeMap::new();
        // The expansion of a macro of which the text consists is the region (`emitSourceRegions`).
        let mut expanded: BTreeSet<Place<'_>> = BTreeSet::new();
        for region in &self.shown.report.regions {
            if region.kind == RegionKind::Code {
                let start = starts.entry(&region.expansion).or_insert(region.start);
                *start = region.start.min(*start);
            } else if region.kind == RegionKind::Expansion {
                expanded.insert((region.start, &region.expansion));
            }
        }
        let mut found = Vec::new();
        let texts = self.truth.expansions.values().filter(|text| !text.names.is_empty());
        for text in texts.filter(|text| self.shown.is_expanded(&text.names)) {
            let Some((first, _)) = text.extent else { continue };
            // The name of a macro may be an argument, and the text the beginning of a function.
            let is_first = |token: &&&PointToken| {
                let kind = self.truth.point(token.point).kind;
                let is_statement = matches!(kind, PointKind::Statement(_) | PointKind::Block);
                token.column == Some(first.1) && (token.leads() || token.begins && is_statement)
            };
            let here = self.truth.typed_in(&text.names, first.0).unwrap_or_default();
            let of_first = here.iter().filter(is_first).map(|token| token.point);
            let within = self.visited.get(&text.names[..]).into_iter().flatten().copied();
            let counts = self.counts(&of_first.chain(within).collect());
            // Where an operand begins with the macro that the text begins with, its region may be in the text of that.
            let has_region = starts.get(&text.names[..]).is_some_and(|start| *start <= first)
                || expanded.contains(&(first, &text.names[..]));
            if !has_region && !counts.is_empty() {
                found.push(lacking(Metric::Region, first, What::RegionAt, counts));
            }
        }
        found
    }

    /// The regions of the tokens that `##` and `#` make.
    fn made(&self) -> Vec<CheckedNumber> {
        let mut found = Vec::new();
        for (place, points) in self.extents.made() {
            let (position, names) = place;
            let due = points.iter().filter(|id| self.shown.listed.contains(&self.truth.point(**id).function));
            let begun = self.shown.begun.get(&place).copied().unwrap_or(0);
            let counts = self.counts(&points.iter().copied().collect());
            if self.shown.is_expanded(names) && begun < due.count() && !counts.is_empty() {
                found.push(lacking(Metric::Region, position, What::RegionAt, counts));
            }
        }
        found
    }

    /// The regions at the names of macros of the system.
    fn names(&self) -> Vec<CheckedNumber> {
        // A macro of a header of the program has an expansion.
        let is_empty = |of: &&Region| of.start == of.end && of.kind == RegionKind::Code;
        let regions = &self.shown.report.regions;
        let at_names = regions.iter().filter(|of| is_empty(of) || of.kind == RegionKind::Expansion);
        let at_names: BTreeSet<(Line, u32)> = at_names.map(|region| region.start).collect();
        let names = self.extents.names().into_iter();
        let names = names.filter(|(position, _)| !at_names.contains(position));
        let counted = names.map(|(position, ids)| (position, self.counts(&ids)));
        let counted = counted.filter(|(_, counts)| !counts.is_empty());
        counted.map(|(at, counts)| lacking(Metric::Region, at, What::RegionAt, counts)).collect()
    }

    /// The counts of the points of functions that are listed.
    fn counts(&self, ids: &BTreeSet<PointId>) -> Vec<u64> {
        let points = ids.iter().map(|id| self.truth.point(*id));
        let points = points.filter(|point| self.shown.listed.contains(&point.function));
        points.filter_map(|point| point.count).collect::<BTreeSet<u64>>().into_iter().collect()
    }
}

/// The functions whose body begins in a macro that does not contain it as a whole: they are in no expansion of it.
fn functions_in_macros(truth: &Truth) -> BTreeSet<usize> {
    let opens = |token: &PointToken| {
        let text = token.origin.body().and_then(|level| truth.expansions.get(&level));
        token.kind == TokenKind::OpeningBrace
            && text.is_some_and(|text| !text.names.is_empty())
            && truth.point(token.point).kind == PointKind::Entry
    };
    let opened = truth.placed().filter(|(_, token)| opens(token));
    opened.map(|(_, token)| truth.point(token.point).function).collect()
}

fn lacking(
    metric: Metric,
    (line, column): (Line, u32),
    what: fn(u32) -> What,
    right: Vec<u64>,
) -> CheckedNumber {
    CheckedNumber { metric, line, what: what(column), count: None, right: Ok(right) }
}
