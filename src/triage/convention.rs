//! Conventions: counts that truth does not admit, and that the profiler means so.
//!
//! Each rule is a predicate over report, tree and truth, never over a name or a
//! file, and says what its source is. A rule is asked only where the count is none
//! of those that really occurred on the line.

use crate::coverage::Coverage;
use crate::model::{Family, Line};
use crate::syntax::{PointKind, StatementKind};
use crate::truth::{Admissible, Counted, Truth};

/// LLVM's number for an expansion region.
const EXPANSION: u32 = 1;

/// What a rule sees.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// What really ran.
    pub truth: &'a Truth,
    /// The report.
    pub report: &'a Coverage,
    /// The family of the profiler.
    pub family: Family,
    /// The line.
    pub line: Line,
    /// The count that the report gives it.
    pub count: u64,
    /// The counts that truth admits.
    pub admissible: &'a Admissible,
}

/// A rule: its name, what it says, and when it holds.
struct Rule {
    name: &'static str,
    sentence: &'static str,
    family: Family,
    holds: fn(&Claim<'_>) -> bool,
}

/// The rules, in the order in which they are asked.
const RULES: [Rule; 3] = [
    // gcov.cc, `accumulate_line_info`: a line that owns blocks has the sum of the arcs that enter
    // them from other lines, and of the cycles that stay on the line.
    Rule {
        name: "line-rule",
        sentence: "gcov gives a line with several statements the ways into its blocks and the cycles among them, \
                   and each of its blocks has a count that is right",
        family: Family::Gcov,
        holds: |claim| claim.has_several_statements() && claim.blocks_are_right(),
    },
    // Clang's documentation of source-based coverage: calls are taken to return.
    Rule {
        name: "after-no-return",
        sentence: "code behind a call that exits or jumps away is shown as run",
        family: Family::LlvmCov,
        holds: |claim| claim.counts_lost_calls(),
    },
    // CoverageMapping.cpp, `SegmentBuilder::combineRegions`: regions of one place are added up.
    Rule {
        name: "summed-expansions",
        sentence: "llvm-cov adds up the regions that a macro has at one place",
        family: Family::LlvmCov,
        holds: |claim| claim.sums_expansions(),
    },
];

/// The first rule by which the profiler means the count.
pub fn rule(claim: &Claim<'_>) -> Option<&'static str> {
    let asked = RULES.iter().filter(|rule| rule.family == claim.family);
    asked.into_iter().find(|rule| (rule.holds)(claim)).map(|rule| rule.name)
}

/// What a rule says, in plain words.
pub fn sentence(name: &str) -> Option<&'static str> {
    RULES.iter().find(|rule| rule.name == name).map(|rule| rule.sentence)
}

impl Claim<'_> {
    fn points(&self) -> impl Iterator<Item = &Counted> {
        self.admissible.points.iter().map(|id| self.truth.point(*id))
    }

    /// Whether more than one statement stands on the line, and not all run alike.
    fn has_several_statements(&self) -> bool {
        let is_statement = |point: &&Counted| {
            matches!(
                point.kind,
                PointKind::Entry | PointKind::Statement(_) | PointKind::Case | PointKind::Label | PointKind::Silent
            )
        };
        self.points().filter(is_statement).count() > 1 && self.admissible.counts.len() > 1
    }

    /// Whether every block that gcov lists under the line ran as often as something on it.
    fn blocks_are_right(&self) -> bool {
        let mut counts: Vec<u64> = self.admissible.counts.iter().copied().collect();
        for point in self.points() {
            counts.extend(point.outcomes.into_iter().flat_map(|(yes, no)| [yes, no]));
            counts.extend(point.completed);
        }
        let mut blocks = self.report.blocks.iter().filter(|block| block.line == self.line).peekable();
        blocks.peek().is_some()
            && blocks.all(|block| block.count.is_some_and(|count| count == 0 || counts.contains(&count)))
    }

    /// Whether the count is too large by no more than the calls of its functions that never returned.
    fn counts_lost_calls(&self) -> bool {
        let lost = |function: usize| -> u64 {
            let points = self.truth.points.iter().filter(|point| point.function == function);
            points.map(lost_in).sum()
        };
        let functions: std::collections::BTreeSet<usize> = self.points().map(|point| point.function).collect();
        let lost: u64 = functions.into_iter().map(lost).sum();
        self.admissible.counts.iter().any(|real| *real < self.count && self.count - real <= lost)
    }

    fn sums_expansions(&self) -> bool {
        let expansions: Vec<_> = self
            .report
            .regions
            .iter()
            .filter(|region| region.kind == EXPANSION && region.start.0 == self.line)
            .collect();
        expansions.iter().enumerate().any(|(index, region)| {
            expansions[index + 1..].iter().any(|other| (other.start, other.end) == (region.start, region.end))
        })
    }
}

/// How often what a point counts began and did not come back.
fn lost_in(point: &Counted) -> u64 {
    match (point.kind, point.count, point.completed) {
        (PointKind::Block | PointKind::Entry, ..) => 0,
        (PointKind::Statement(StatementKind::Return), ..) => 0,
        (_, Some(count), Some(completed)) => count.saturating_sub(completed),
        _ => 0,
    }
}
