//! Conventions: counts that contradict ground truth but are intended behaviour of the profiler.
//!
//! Each rule is a predicate over the report, the syntax tree and ground truth, never over a name or a file. A comment
//! names its source. A rule is only checked if the count is none of those that really occurred on the line.

use std::collections::{BTreeMap, BTreeSet};

use crate::coverage::{Coverage, Region, RegionKind};
use crate::model::{Convention, Family, LARGEST_COUNT, Line, Metric};
use crate::replay::{Expected, expected, expected_region, has_inherited, lacks_process, reached_at};
use crate::syntax::{
    Leaving, LevelId, PointId, PointKind, PointToken, StatementKind, TokenKind, TokenOrigin,
};
use crate::truth::{CountedPoint, Truth};

/// The facts on which a rule may depend.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// How often each part of the program ran.
    pub truth: &'a Truth,
    /// The report.
    pub report: &'a Coverage,
    /// The family of the profiler.
    pub family: Family,
    /// The line.
    pub line: Line,
    /// The count that the report gives it.
    pub count: u64,
    /// The counts that ground truth admits.
    pub admissible: &'a Expected,
}

/// The first rule that explains the count as intended, in the order of their definition.
pub fn rule(claim: &Claim<'_>) -> Option<Convention> {
    Convention::ALL.into_iter().find(|rule| holds(*rule, claim))
}

fn holds(rule: Convention, claim: &Claim<'_>) -> bool {
    let is_gcov = claim.family == Family::Gcov;
    match rule {
        // GCC's manual, "Cross-profiling" and `__gcov_dump`; LLVM's runtime writes its file in an exit handler.
        Convention::LostProcess => lacks_process(claim.truth, claim.family, claim.line, claim.count),
        // LLVM's runtime has no handler for `fork`, so the child's counters begin with those of its parent. gcc replaces a call of
        // `fork` by one of `__gcov_fork`, but not with -std=c11, nor through a pointer (PR 82457).
        Convention::InheritedCounts => {
            has_inherited(claim.truth, claim.family, claim.line, claim.count)
                || !is_gcov && claim.counts_inherited_and_lost()
        }
        // GCC's manual, `-fprofile-update=single` (PR 68080); Clang has the same option.
        Convention::LostUpdate => {
            let is_less = claim.admissible.counts.last().is_some_and(|most| claim.count < *most);
            claim.truth.may_race && (is_less || claim.is_derived_from_lost())
        }
        // GCC merges labels that nothing separates; DebCovDiff, "switch and case".
        Convention::StackedLabels => is_gcov && claim.is_count_of_label_stack(),
        // The only code on the line is the jump back (GCC PR 106090).
        Convention::EndlessLoop => is_gcov && (claim.is_endless_head() || claim.is_start_of_endless_body()),
        // GCC's manual: only with this option may an instruction that traps be the last that runs.
        Convention::AfterTrap => {
            is_gcov && claim.counts_lost(|function| lost_outside_calls(claim.truth, function))
        }
        // Clang's documentation of source-based coverage: calls are assumed to return.
        Convention::AfterNoReturn => {
            !is_gcov
                && !claim.begins_with_right_region()
                && claim.counts_lost(|function| lost_before(claim.truth, function, claim.line))
        }
        // CoverageMapping.cpp, `SegmentBuilder::combineRegions`: regions of one place are added up.
        Convention::SummedRegions => !is_gcov && claim.sums_regions(),
        // Another report or a variant decides these.
        Convention::NoCount
        | Convention::NoPoint
        | Convention::PeerMacro
        | Convention::PeerDoWhile
        | Convention::PeerElseIf
        | Convention::PeerCase
        | Convention::PeerContinuation
        | Convention::BothAdmissible
        | Convention::PeerIsWrong
        | Convention::PeerOnly => false,
    }
}

/// The rule that explains a `count` of a function, branch, region or condition on `line` as intended, although ground
/// truth gives the count `right`. llvm-cov derives counts of regions and branches under the assumption that calls
/// return. A process that begins or ends inside a function leaves counters that do not fit together, so that a count which is a
/// difference of them may have any value; llvm-cov counts the entries of a function with a counter of its own.
pub fn rule_beyond_lines(
    truth: &Truth,
    family: Family,
    metric: Metric,
    line: Line,
    count: u64,
    right: u64,
) -> Option<Convention> {
    let is_difference = family == Family::Gcov || metric != Metric::Function;
    let most = right.saturating_mul(u64::try_from(truth.processes.len()).unwrap_or(u64::MAX));
    if truth.processes.len() > 1 && (is_difference || count <= most) {
        // The counters of a process of llvm-cov begin with those of its parent; a process that is missing explains only too little.
        let may_be_inherited = family == Family::LlvmCov && right < count && count <= most;
        if !may_be_inherited && truth.processes.iter().any(|process| !process.has_exited) {
            return Some(Convention::LostProcess);
        }
        return (count > right).then_some(Convention::InheritedCounts);
    }
    if truth.may_race && (count < right || count > LARGEST_COUNT) {
        return Some(Convention::LostUpdate);
    }
    let may_be_derived = family == Family::LlvmCov && matches!(metric, Metric::Branch | Metric::Region);
    let functions = functions_on(truth, line);
    let functions = functions.into_iter().filter(|_| may_be_derived);
    let lost: u64 = functions.map(|index| lost_before(truth, index, line)).sum();
    (right < count && count - right <= lost).then_some(Convention::AfterNoReturn)
}

impl Claim<'_> {
    fn points(&self) -> impl Iterator<Item = &CountedPoint> {
        self.admissible.points.iter().map(|id| self.truth.point(*id))
    }

    /// Whether the count is too large, or below zero, and the function lost updates: a difference of counters has the updates that
    /// only the smaller one lost.
    fn is_derived_from_lost(&self) -> bool {
        let lost = |line: Line| {
            let right = expected(self.truth, self.family, line).ok();
            let least = right.and_then(|right| right.counts.first().copied());
            self.report.line(line).is_some_and(|count| Some(count) < least)
        };
        let lines =
            functions_on(self.truth, self.line).into_iter().map(|index| self.truth.functions[index].lines);
        self.count > LARGEST_COUNT || lines.into_iter().any(|(first, last)| (first..=last).any(lost))
    }

    /// Whether the line contains only labels, and the count is that of a label that follows them directly.
    fn is_count_of_label_stack(&self) -> bool {
        let is_label = |point: &CountedPoint| matches!(point.kind, PointKind::Case | PointKind::Label);
        let Some(last) = self.admissible.points.last().filter(|_| self.points().all(is_label)) else {
            return false;
        };
        // An empty statement between them has no code.
        let has_code = |point: &CountedPoint| !is_label(point) && point.kind != PointKind::Silent;
        let following = self.truth.points[last + 1..].iter().take_while(|point| !has_code(point));
        following.filter(|point| is_label(point)).any(|point| point.count == Some(self.count))
    }

    /// Whether the line contains only the head of a loop that no condition ends. If the head has an initialisation or a
    /// step, the count must be the sum of both, or without a step that of the initialisation and the jumps back; if it began on an
    /// earlier line, it must be the number of jumps back.
    fn is_endless_head(&self) -> bool {
        let is_endless = |id: PointId| self.truth.is_endless(id);
        let is_part = |point: &CountedPoint| matches!(point.kind, PointKind::Init | PointKind::Step);
        // The brace that begins the body, on a line of its own.
        let is_body = |id: usize| {
            let mut before = (0..id).rev().filter(|other| self.truth.point(*other).within.is_none());
            self.truth.point(id).kind == PointKind::Block && before.next().is_some_and(is_endless)
        };
        let is_head = self.admissible.points.iter().all(|id| {
            let point = self.truth.point(*id);
            is_endless(*id)
                || is_body(*id)
                || self.endless_around(*id).is_some()
                || (point.is_always_true() || is_part(point)) && point.within.is_some_and(is_endless)
        });
        let parts: Vec<&CountedPoint> = self.points().filter(|point| is_part(point)).collect();
        let continued = parts.iter().find(|part| part.line != Some(self.line)).and_then(|part| part.within);
        if let Some(head) = continued {
            return is_head && self.jumps_back(head) == Some(self.count);
        }
        let arrivals: u64 = parts.iter().filter_map(|point| point.count).sum();
        let has_step = parts.iter().any(|part| part.kind == PointKind::Step);
        let head = parts.first().and_then(|part| part.within).filter(|_| !has_step);
        let back = head.and_then(|head| self.jumps_back(head));
        let is_sum =
            arrivals == self.count || back.and_then(|back| arrivals.checked_add(back)) == Some(self.count);
        is_head && (parts.is_empty() || is_sum)
    }

    /// How often the body of the endless loop `head` began without a start of the loop.
    fn jumps_back(&self, head: PointId) -> Option<u64> {
        let body = self.truth.point(self.truth.first_in(head)?);
        // Control may come to a label from elsewhere too.
        let begun = if body.kind.is_label() { body.fallen? } else { body.count? };
        begun.checked_sub(self.truth.point(head).count?)
    }

    /// Whether the line contains only the statement with which the body of such a loop begins, which has no code, and the count is the
    /// number of jumps back: gcc uses "the beginning of the body" for them (`genericize_c_loop` in c-family/c-gimplify.cc).
    fn is_start_of_endless_body(&self) -> bool {
        let is_start = |id: &PointId| {
            let head = self.endless_around(*id);
            head.and_then(|head| self.jumps_back(head)) == Some(self.count)
        };
        !self.admissible.points.is_empty() && self.admissible.points.iter().all(is_start)
    }

    /// The endless loop whose body begins with the statement `id`, which has no code.
    fn endless_around(&self, id: PointId) -> Option<PointId> {
        let truth = self.truth;
        let begun = |id: &PointId| {
            truth.point(*id).place.filter(|place| place.before.is_none()).map(|place| place.outer)
        };
        let has_code =
            !truth.point(id).is_idle && truth.point(id).kind != PointKind::Statement(StatementKind::Do);
        let mut outward = std::iter::successors(Some(id), begun).skip(1);
        outward.find(|outer| !has_code && truth.is_endless(*outer))
    }

    /// Whether the count is too large by at most the executions that its functions `lost`.
    fn counts_lost(&self, lost: impl Fn(usize) -> u64) -> bool {
        // Each expansion of a macro counts what was lost before it.
        let mut functions = expansions_on(self.truth, self.line);
        if functions.is_empty() {
            functions =
                Vec::from_iter(self.points().map(|point| point.function).collect::<BTreeSet<usize>>());
        }
        // A line without code has the count of the function around it.
        if functions.is_empty() {
            functions = Vec::from_iter(functions_on(self.truth, self.line));
        }
        let lost: u64 = functions.into_iter().map(lost).sum();
        self.admissible.counts.iter().any(|real| *real < self.count && self.count - real <= lost)
    }

    /// Whether the region that begins with the line has the right count: what is too large is then that of the code around it, which
    /// ends before the region.
    fn begins_with_right_region(&self) -> bool {
        let is_right = |region: &Region| {
            let (line, column) = region.start;
            let tokens = self.truth.typed_on(line).iter();
            let mut before = tokens.filter(|token| token.column < Some(column));
            line == self.line
                && region.kind == RegionKind::Code
                && region.expansion.is_empty()
                && before.all(|token| token.kind == TokenKind::Punctuation)
                && reached_at(self.truth, region.start) == BTreeSet::from([region.count])
        };
        self.report.regions.iter().any(is_right)
    }

    /// Whether the count is too large by what processes inherited, and by at most the executions that did not complete after which
    /// it counts code as executed.
    fn counts_inherited_and_lost(&self) -> bool {
        let Some(partial) = &self.truth.partial else { return false };
        let all = &partial.with_inherited;
        let most = expected(all, self.family, self.line).ok().and_then(|found| found.counts.last().copied());
        let Some(most) = most else { return false };
        let functions = functions_on(self.truth, self.line);
        let lost: u64 = functions.into_iter().map(|index| lost_before(all, index, self.line)).sum();
        most < self.count && self.count - most <= lost
    }

    /// Whether the count is a sum over equal expansions that begin on the line, none of which has a wrong count of its own.
    fn sums_regions(&self) -> bool {
        let is_more = self.admissible.counts.last().is_some_and(|most| *most < self.count);
        let is_one = |region: &Region| region.start.0 == self.line && region.kind == RegionKind::Expansion;
        let is_summed = |region: &&Region| {
            let is_equal =
                |other: &Region| is_one(other) && (other.start, other.end) == (region.start, region.end);
            is_one(region) && self.report.summed_regions(is_equal).contains(&self.count)
        };
        let is_right = |region: &Region| {
            expected_region(self.truth, region).map_or(true, |counts| counts.contains(&region.count))
        };
        let mut summed = self.report.regions.iter().filter(is_summed).peekable();
        is_more && summed.peek().is_some() && summed.all(is_right)
    }
}

/// The function of each expansion of the macro whose definition `line` is in.
fn expansions_on(truth: &Truth, line: Line) -> Vec<usize> {
    let tokens = truth.typed_on(line).iter();
    let expansions: BTreeMap<LevelId, usize> =
        tokens.filter_map(|token| Some((token.origin.body()?, truth.point(token.point).function))).collect();
    expansions.into_values().collect()
}

/// The functions with code on `line`: the one around it, or those that expand the macro whose definition it is.
fn functions_on(truth: &Truth, line: Line) -> BTreeSet<usize> {
    match truth.entries(line) {
        Some((function, _)) => BTreeSet::from([function]),
        None => truth.typed_on(line).iter().map(|token| truth.point(token.point).function).collect(),
    }
}

/// How often code in a function that may run before `line` began and did not complete, although clang counts what follows as if
/// it had: a region ends with a statement that calls a function which never returns, or should. Some calls have no counter for their
/// completion, so executions that left the function at an unknown place are among them.
fn lost_before(truth: &Truth, function: usize, line: Line) -> u64 {
    let points = || truth.points.iter().enumerate().filter(|(_, point)| point.function == function);
    // Of the definition of a macro, its last expansion.
    let expanded = || {
        let of_macro = truth.typed_on(line).iter().filter(|token| token.origin.body().is_some());
        of_macro.map(|token| token.point).filter(|id| truth.point(*id).function == function).max()
    };
    let at = truth.begun(line).last().copied().or_else(expanded);
    let loops = at.map_or_else(BTreeSet::new, |at| loops_around(truth, at));
    // Control may also come back by a jump to a label.
    let has_labels = points().any(|(_, point)| point.kind == PointKind::Label);
    let may_precede = |id: PointId| {
        has_labels || at.is_none_or(|at| id <= at) || !loops.is_disjoint(&loops_around(truth, id))
    };
    let ends_region = |point: &CountedPoint| {
        point.leaving == Leaving::Jump && point.kind == PointKind::Statement(StatementKind::Call)
    };
    // What a child did after such a call is inherited from its parent too.
    let is_said_to_end = |point: &CountedPoint| point.is_said_to_end && truth.processes.len() <= 1;
    let is_counted = |point: &CountedPoint| !ends_region(point) && !is_said_to_end(point);
    let lost_anywhere = || points().filter(|(_, point)| is_counted(point));
    let lost = || lost_anywhere().filter(|(id, _)| may_precede(*id));
    let lost_in = |counted: Option<PointId>| -> u64 {
        let is_inside =
            |id: PointId| counted.is_none_or(|counted| truth.around(id).any(|outer| outer == counted));
        lost().filter(|(id, _)| is_inside(*id)).map(|(id, _)| truth.lost(id)).sum()
    };
    // What begins with an argument may have the count of the macro's name.
    let named = |token: &PointToken| {
        let is_argument = token.origin == TokenOrigin::Argument(None);
        is_argument.then(|| truth.name_before(line, token)).flatten().map(|name| name.point)
    };
    let tokens = truth.typed_on(line).iter();
    let here: BTreeSet<PointId> =
        tokens.flat_map(|token| std::iter::once(token.point).chain(named(token))).collect();
    let here = here.into_iter().filter(|id| truth.point(*id).function == function);
    let counted: BTreeSet<Option<PointId>> = here.map(|id| counted_around(truth, id)).collect();
    if !counted.is_empty() && !counted.contains(&None) {
        return counted.into_iter().map(lost_in).max().unwrap_or(0);
    }
    let lost = lost_in(None);
    let ended = points().filter(|(_, point)| ends_region(point)).filter_map(|(_, point)| point.count);
    let said_to_end = points().filter(|(_, point)| is_said_to_end(point)).map(|(_, point)| point.lost());
    let known = lost_anywhere().map(|(id, _)| truth.lost(id));
    let placed: u64 = ended.chain(said_to_end).chain(known).sum();
    lost + truth.not_left(function).saturating_sub(placed)
}

/// The innermost code around a point that clang has a counter for, so that nothing before it is in its count: the first arm of an
/// `if`, or the body of `while` or `for` (`VisitIfStmt`, `VisitWhileStmt` and `VisitForStmt` in CoverageMappingGen.cpp).
fn counted_around(truth: &Truth, id: PointId) -> Option<PointId> {
    use StatementKind::{For, If, While};
    let chain: Vec<PointId> = std::iter::once(id).chain(truth.around(id)).collect();
    let is_counted = |pair: &&[PointId]| {
        let (inner, outer) = (truth.point(pair[0]), truth.point(pair[1]));
        let is_first = || truth.first_in(pair[1]) == Some(pair[0]);
        match outer.kind {
            PointKind::Statement(While | For) => inner.within.is_none(),
            PointKind::Statement(If) => inner.within.is_none() && is_first(),
            _ => false,
        }
    };
    chain.windows(2).find(is_counted).map(|pair| pair[0])
}

/// The loops around a point, and the one that it is a part of.
fn loops_around(truth: &Truth, id: PointId) -> BTreeSet<PointId> {
    let outer = |id: &PointId| {
        let point = truth.point(*id);
        point.place.map(|place| place.outer).or(point.within)
    };
    std::iter::successors(Some(id), outer).filter(|id| truth.point(*id).kind.is_loop()).collect()
}

/// The same without the calls whose completion is counted: traps, as far as the counters show.
fn lost_outside_calls(truth: &Truth, function: usize) -> u64 {
    truth.not_left(function).saturating_sub(lost_in_calls(truth, function))
}

fn lost_in_calls(truth: &Truth, function: usize) -> u64 {
    truth.points.iter().filter(|point| point.function == function).map(CountedPoint::lost).sum()
}
