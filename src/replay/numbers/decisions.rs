//! Decisions: which of their conditions a report shows as covered, and the test vectors that it lists.
//!
//! A report has one number for each flag, 1 for what is covered and 0 for what is not, one for each decision, the number of
//! its flags that are 1, and one for each test vector, its outcome.

use std::collections::{BTreeMap, BTreeSet};

use super::checked::{CheckedNumber, DecisionPlace, NO_TRUTH, Right, What, metric_of_decisions};
use super::missing::listed;
use super::orders::{in_order, ordered};
use crate::coverage::{Conditions, Coverage};
use crate::model::{Family, Line};
use crate::replay::expected::{
    BranchGroup, ExpectedDecision, branch_groups, decisions_at, decisions_of_group, places_of_decisions,
};
use crate::syntax::PointToken;
use crate::truth::{Truth, Vector};

/// The decisions of one place, and those that should be there.
struct Place<'a> {
    line: Line,
    shown: Vec<&'a Conditions>,
    expected: Vec<ExpectedDecision>,
    /// Whether nothing else than `expected` may be a decision there.
    is_certain: bool,
    code: Code,
    /// Whether none of its code ran, so that no condition is covered whatever the compiler makes of the decisions.
    never_ran: bool,
    /// How many more branches than flags the report has there: each condition has two of both.
    lacking: usize,
}

/// The code of a place, as far as it says which decisions a report may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    Ordinary,
    /// gcc makes no branch of it, so that no decision may be there.
    WithoutTests,
    /// gcc inlines its function.
    Copied,
    /// Some of its conditions are not counted, and decisions of them may be there.
    Uncounted,
}

impl Code {
    fn of(group: &BranchGroup) -> Code {
        match group {
            group if group.has_no_test => Code::WithoutTests,
            group if group.is_copied => Code::Copied,
            group if group.outcomes.is_none() => Code::Uncounted,
            _ => Code::Ordinary,
        }
    }
}

pub(super) fn decisions(report: &Coverage, truth: Option<&Truth>, family: Family) -> Vec<CheckedNumber> {
    let Some(truth) = truth else {
        return report.decisions.iter().flat_map(|found| unknown(found, 0, family, NO_TRUTH)).collect();
    };
    if !truth.has_vectors {
        let reason = "the test vectors were not counted";
        return report.decisions.iter().flat_map(|found| unknown(found, 0, family, reason)).collect();
    }
    let places = match family {
        Family::Gcov => places_of_gcov(report, truth),
        Family::LlvmCov => places_of_llvm_cov(report, truth),
    };
    // The profile of several processes or threads may lack decisions.
    let is_whole = truth.partial.is_none() && !truth.may_race;
    places.iter().flat_map(|place| place.numbers(family, is_whole)).collect()
}

fn places_of_gcov<'a>(report: &'a Coverage, truth: &Truth) -> Vec<Place<'a>> {
    let groups = branch_groups(truth);
    let mut group_of: BTreeMap<Line, usize> = BTreeMap::new();
    for (index, group) in groups.iter().enumerate() {
        group_of.extend(group.lines.iter().map(|line| (*line, index)));
    }
    let suppressed = report.suppressed_lines();
    let is_listed = |group: &BranchGroup| group.lines.is_disjoint(&suppressed);
    let decisions = |group| if is_listed(group) { decisions_of_group(truth, group) } else { Vec::new() };
    let mut places: Vec<Place<'a>> = groups
        .iter()
        .map(|group| Place {
            line: group.lines.first().copied().unwrap_or_default(),
            shown: Vec::new(),
            expected: decisions(group),
            is_certain: group.has_only_conditions(),
            code: Code::of(group),
            never_ran: group.lines.iter().all(|line| never_ran(truth, truth.tokens(*line))),
            lacking: 0,
        })
        .collect();
    for found in &report.decisions {
        match group_of.get(&found.line) {
            Some(index) => places[*index].shown.push(found),
            None => places.push(Place {
                line: found.line,
                shown: vec![found],
                expected: Vec::new(),
                is_certain: false,
                code: Code::Ordinary,
                never_ran: never_ran(truth, truth.tokens(found.line)),
                lacking: 0,
            }),
        }
    }
    // The branches of a `switch` are no conditions, nor are those that gcc makes of something else.
    let may_be_hidden = |group: &BranchGroup| {
        group.lines.iter().flat_map(|line| truth.functions_around(*line)).any(|found| found.has_hidden_tests)
    };
    let with_conditions = |group: &BranchGroup| !group.has_switch() && !may_be_hidden(group);
    for (group, place) in groups.iter().zip(&mut places).filter(|(group, _)| with_conditions(group)) {
        let branches = report.branches.iter().filter(|branch| group.lines.contains(&branch.line)).count();
        let flags: usize = place.shown.iter().map(|found| found.shown.len()).sum();
        place.lacking = branches.saturating_sub(flags);
    }
    places
}

fn places_of_llvm_cov<'a>(report: &'a Coverage, truth: &Truth) -> Vec<Place<'a>> {
    let mut shown: BTreeMap<(Line, u32), Vec<&Conditions>> = BTreeMap::new();
    for found in &report.decisions {
        shown.entry((found.line, found.column.unwrap_or_default())).or_default().push(found);
    }
    // A function that the report does not list, or that nothing refers to, has no decisions.
    let listed = listed(report, truth);
    for (place, function) in places_of_decisions(truth) {
        if listed.contains(&function) {
            shown.entry(place).or_default();
        }
    }
    let version = report.llvm_version();
    let expected = |at| {
        let mut all = decisions_at(truth, at, version);
        // Of several functions that a macro makes, those that are unused have none.
        let is_made = all.iter().any(|expected| expected.function != all[0].function);
        all.retain(|expected| !is_made || listed.contains(&expected.function));
        all
    };
    let place = |(at, shown): ((Line, u32), Vec<&'a Conditions>)| Place {
        line: at.0,
        shown,
        expected: expected(at),
        is_certain: true,
        code: Code::Ordinary,
        never_ran: never_ran(truth, truth.typed_on(at.0)),
        lacking: 0,
    };
    shown.into_iter().map(place).collect()
}

/// Whether there are `tokens`, and all are of code that was never reached.
fn never_ran(truth: &Truth, tokens: &[PointToken]) -> bool {
    !tokens.is_empty() && tokens.iter().all(|token| truth.point(token.point).count == Some(0))
}

/// The numbers of a decision that cannot be checked, for `reason`.
fn unknown(found: &Conditions, index: usize, family: Family, reason: &'static str) -> Vec<CheckedNumber> {
    numbers_of(found, index, family, |_| Err(reason), Err(reason))
}

/// The numbers of `found`: one for each flag, whose right count `flag` returns, and one for all of them.
fn numbers_of(
    found: &Conditions,
    index: usize,
    family: Family,
    flag: impl Fn(usize) -> Right,
    all: Right,
) -> Vec<CheckedNumber> {
    let metric = metric_of_decisions(family);
    let decision = DecisionPlace { column: found.column, index };
    let number = |what, count, right| CheckedNumber { metric, line: found.line, what, count, right };
    let flags = found.shown.iter().enumerate().map(|(at, shown)| {
        let (condition, outcome) = match family {
            Family::Gcov => (at / 2, Some(at % 2 == 0)),
            Family::LlvmCov => (at + 1, None),
        };
        number(What::Condition { decision, condition, outcome }, Some(u64::from(*shown)), flag(at))
    });
    let mut numbers: Vec<CheckedNumber> = flags.collect();
    let what = What::Decision { decision, flags: found.shown.len(), vectors: String::new() };
    numbers.push(number(what, Some(found.covered), all));
    numbers
}

fn sorted(flags: &[bool]) -> Vec<bool> {
    let mut flags = flags.to_vec();
    flags.sort_unstable();
    flags
}

/// The flags of a decision of one condition.
const OF_ONE: usize = 2;

impl Place<'_> {
    fn numbers(&self, family: Family, is_whole: bool) -> Vec<CheckedNumber> {
        let pairs = self.pairs();
        // Of several decisions, another one may have the vectors.
        let is_only = self.shown.len() == 1 && self.expected.len() == 1;
        let mut found = Vec::new();
        for (index, (shown, pair)) in self.shown.iter().zip(&pairs).enumerate() {
            let expected = pair.map(|pair| &self.expected[pair]);
            found.extend(match (expected, expected.and_then(|expected| expected.unknown)) {
                (Some(expected), None) => {
                    let orders = ordered(shown, expected, is_whole, is_only);
                    compared(shown, expected, &orders, index, family, is_whole)
                }
                (None, _) if self.is_impossible(shown) => {
                    let reason = "the decision should not be there";
                    numbers_of(shown, index, family, |_| Err(reason), Ok(Vec::new()))
                }
                _ if self.never_ran => numbers_of(shown, index, family, |_| Ok(vec![0]), Ok(vec![0])),
                (Some(_), Some(reason)) => unknown(shown, index, family, reason),
                (None, _) => unknown(shown, index, family, "no decision of the source has these conditions"),
            });
        }
        let is_unpaired = |(index, expected): &(usize, &ExpectedDecision)| {
            is_whole && expected.unknown.is_none() && !pairs.contains(&Some(*index))
        };
        let unpaired = || self.expected.iter().enumerate().filter(is_unpaired);
        let has_branches =
            self.lacking == unpaired().map(|(_, expected)| expected.flags[0].len()).sum::<usize>();
        for (index, expected) in unpaired() {
            let flags = &expected.flags[0];
            let right = match expected {
                expected if expected.is_needed || has_branches => Ok(vec![Conditions::covered_of(flags)]),
                expected if expected.is_unsupported => {
                    Err("this version of clang leaves out the decision, and warns of it")
                }
                _ => continue,
            };
            let decision = DecisionPlace { column: None, index };
            let what = What::Decision { decision, flags: flags.len(), vectors: in_words(expected) };
            let (metric, line) = (metric_of_decisions(family), expected.line.max(self.line));
            found.push(CheckedNumber { metric, line, what, count: None, right });
        }
        found
    }

    /// The decision of the source that each one of the report is: an equal one if there is one, otherwise the first one left
    /// with as many flags, on the same line if there is one. Those of the source that can be shown in the fewest ways choose first.
    fn pairs(&self) -> Vec<Option<usize>> {
        let mut pairs: Vec<Option<usize>> = vec![None; self.shown.len()];
        let is_equal = |shown: &Conditions, expected: &ExpectedDecision| {
            let is_permuted = || sorted(&shown.shown) == sorted(&expected.flags[0]);
            expected.flags.contains(&shown.shown) || expected.is_unordered && is_permuted()
        };
        let mut order: Vec<usize> = (0..self.expected.len()).collect();
        order.sort_by_key(|at| (self.expected[*at].is_unordered, self.expected[*at].flags.len()));
        for at in order {
            let is_it =
                |index: &usize| pairs[*index].is_none() && is_equal(self.shown[*index], &self.expected[at]);
            let is_here = |index: &usize| self.shown[*index].line == self.expected[at].line;
            let mut found = (0..self.shown.len()).filter(is_it);
            if let Some(index) = found.clone().find(is_here).or_else(|| found.next()) {
                pairs[index] = Some(at);
            }
        }
        let is_alike =
            |shown: &Conditions, expected: &ExpectedDecision| expected.flags[0].len() == shown.shown.len();
        // gcc makes a decision of one condition of some values, as of `(a < b) ^ 1`.
        let may_be_alike = |shown: &Conditions| {
            self.is_certain && self.has_all_larger(0)
                || shown.shown.len() > OF_ONE && self.has_all_larger(OF_ONE)
        };
        for on_line in [true, false] {
            for (index, shown) in self.shown.iter().enumerate().filter(|(_, shown)| may_be_alike(shown)) {
                let fits = |at: &usize| {
                    let expected = &self.expected[*at];
                    let is_there = !on_line || expected.line == shown.line;
                    is_there && is_alike(shown, expected) && !pairs.contains(&Some(*at))
                };
                if pairs[index].is_none() {
                    pairs[index] = (0..self.expected.len()).find(fits);
                }
            }
        }
        pairs
    }

    /// Whether the decisions of the source and of the report with more than `least` flags have the same sizes. A compiler may fold a part
    /// of a decision, or all of it, and then another one of the same size is not that; it folds the condition of `?:` as a whole.
    fn has_all_larger(&self, least: usize) -> bool {
        let sorted = |mut sizes: Vec<usize>| {
            sizes.retain(|size| *size > least);
            sizes.sort_unstable();
            sizes
        };
        let size = |expected: &ExpectedDecision| expected.flags[0].len();
        let is_known = |expected: &ExpectedDecision| size(expected) <= least || expected.unknown.is_none();
        self.code != Code::Uncounted
            && self.expected.iter().all(is_known)
            && sorted(self.shown.iter().map(|shown| shown.shown.len()).collect())
                == sorted(self.expected.iter().map(size).collect())
    }

    /// Whether `shown` is none of the decisions of the source: its place has none, or only one with other conditions. Each copy of an
    /// inlined function has decisions of its own.
    fn is_impossible(&self, shown: &Conditions) -> bool {
        if self.code == Code::WithoutTests {
            return true;
        }
        let [expected] = &self.expected[..] else { return false };
        let (flags, copied) = (expected.flags[0].len(), shown.shown.len());
        if self.code == Code::Copied && self.is_certain && copied > flags && copied.is_multiple_of(flags) {
            return true;
        }
        self.is_certain
            && self.shown.len() == 1
            && expected.unknown.is_none()
            && expected.is_needed
            && expected.flags[0].len() != shown.shown.len()
    }
}

/// The numbers of `shown`, which is the decision `expected`, whose conditions may be in one of the `orders`. A condition that is
/// listed at an index of an order is the one with the index there. Only a `whole` profile has all vectors.
fn compared(
    shown: &Conditions,
    expected: &ExpectedDecision,
    orders: &[Vec<usize>],
    index: usize,
    family: Family,
    is_whole: bool,
) -> Vec<CheckedNumber> {
    let difference = |way: &&Vec<bool>| way.iter().zip(&shown.shown).filter(|(a, b)| a != b).count();
    let Some(right) = expected.flags.iter().min_by_key(difference) else { return Vec::new() };
    let flag = |at: usize| {
        let rights: BTreeSet<u64> = orders.iter().map(|order| u64::from(right[order[at]])).collect();
        // In any order if all are alike.
        if right.iter().all(|flag| *flag == right[0]) {
            Ok(vec![u64::from(right[0])])
        } else if rights.is_empty() {
            Err("the order of conditions in macros is not known")
        } else {
            Ok(rights.into_iter().collect())
        }
    };
    let mut numbers = numbers_of(shown, index, family, flag, Ok(vec![Conditions::covered_of(right)]));
    if let Some(CheckedNumber { what: What::Decision { vectors, .. }, .. }) = numbers.last_mut() {
        *vectors = in_words(expected);
    }
    let (Some(listed), Some(occurred)) = (&shown.vectors, &expected.vectors) else { return numbers };
    if orders.is_empty() {
        return numbers;
    }
    let ordered: Vec<Vec<(Vector, bool)>> = orders.iter().map(|order| in_order(occurred, order)).collect();
    let decision = DecisionPlace { column: shown.column, index };
    let number = |vector: &Vector, count, right| CheckedNumber {
        metric: metric_of_decisions(family),
        line: shown.line,
        what: What::Vector { decision, vector: values_in_words(vector) },
        count,
        right: Ok(right),
    };
    let outcome_in = |all: &[(Vector, bool)], vector: &Vector| {
        all.iter().find(|(other, _)| other == vector).map(|(_, outcome)| u64::from(*outcome))
    };
    for (vector, outcome) in listed {
        let rights: BTreeSet<u64> = ordered.iter().filter_map(|all| outcome_in(all, vector)).collect();
        numbers.push(number(vector, Some(u64::from(*outcome)), rights.into_iter().collect()));
    }
    let lacking = ordered[0].iter().filter(|(vector, _)| is_whole && outcome_in(listed, vector).is_none());
    for (vector, outcome) in lacking {
        numbers.push(number(vector, None, vec![u64::from(*outcome)]));
    }
    numbers
}

/// The vectors that occurred, as in `F- (F), TT (T)`.
fn in_words(expected: &ExpectedDecision) -> String {
    let vector = |(values, outcome): &(Vector, bool)| {
        format!("{} ({})", values_in_words(values), letter(Some(*outcome)))
    };
    expected.vectors.iter().flatten().map(vector).collect::<Vec<_>>().join(", ")
}

fn values_in_words(vector: &Vector) -> String {
    vector.iter().map(|value| letter(*value)).collect()
}

/// `-` for a condition that was not evaluated.
fn letter(value: Option<bool>) -> char {
    match value {
        Some(true) => 'T',
        Some(false) => 'F',
        None => '-',
    }
}
